/* Calls that map shared memory: edited where they stand, also where the headers rename them. */
#define _FILE_OFFSET_BITS 64
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#define SIZE 4096
#define UNMAP(memory) munmap(memory, SIZE)

static void *anonymous(void)
{
    return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{
    char *memory = anonymous();
    int id = shmget(IPC_PRIVATE, SIZE, 0600);
    if (memory == MAP_FAILED || id < 0)
        return 1;
    memory[1] = 7;
    char *segment = shmat(id, NULL, 0);
    if (segment == (char *)-1)
        return 1;
    segment[1] = memory[1];
    printf("%d\n", segment[1]);
    return UNMAP(memory) + shmdt(segment) + shmctl(id, IPC_RMID, NULL);
}
