/* Calls that map shared memory: edited where they stand, also where the headers rename them. */
#define _FILE_OFFSET_BITS 64
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#define SIZE 4096
#define UNMAP(memory) munmap(memory, SIZE)

static void *anonymous(void)
{VPROF_FUNCTION(1)
    return VPROF_SYNC6(3, memory_map, mmap, NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{VPROF_FUNCTION(2)
    char *memory = anonymous();
    int id = shmget(IPC_PRIVATE, SIZE, 0600);
    if (memory == MAP_FAILED || id < 0)
        return 1;
    memory[1] = 7;
    char *segment = VPROF_SYNC3(6, memory_attach, shmat, id, NULL, 0);
    if (segment == (char *)-1)
        return 1;
    segment[1] = memory[1];
    printf("%d\n", segment[1]);
    return UNMAP(memory) + VPROF_SYNC1(9, memory_detach, shmdt, segment) + shmctl(id, IPC_RMID, NULL);
}
