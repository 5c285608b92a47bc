/* remapped.c - memory that two processes share is mapped, unmapped, and other memory in its place.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "await.h"
#include "check.h"

#define PAGES 3
#define SIZE (PAGES * 4096ul)
#define PLACE 4096 /* of the mutex in its memory */
#define FILES 3    /* and a segment of System V */

static pthread_mutex_t *mutex_in(char *memory)
{
    return (pthread_mutex_t *)(void *)(memory + PLACE);
}

/* Longer than the runtime's pause between two looks at the maps. */
static void pause_ms(long ms)
{
    struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

static int make_file(void)
{
    int fd = memfd_create("remapped", MFD_CLOEXEC);
    CHECK(fd >= 0 && ftruncate(fd, SIZE) == 0);
    return fd;
}

static char *map_file(int fd)
{
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static char *map_segment(int id)
{
    char *memory = shmat(id, NULL, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

/* The child waits for what its parent holds. `turn` is a pipe from the parent: a byte as soon as it
 * holds the mutex. */
static void meet(char *memory, int child, int turn)
{
    pthread_mutex_t *m = mutex_in(memory);
    char byte = 0;
    pause_ms(100);
    if (child) {
        CHECK(read(turn, &byte, 1) == 1);
        pthread_mutex_lock(m);
        pthread_mutex_unlock(m);
        return;
    }
    pthread_mutex_lock(m);
    CHECK(write(turn, &byte, 1) == 1);
    while (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) != 2) /* glibc: somebody waits */
        await_a_little();
    pause_ms(5);
    pthread_mutex_unlock(m);
}

static void init(char *memory)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(mutex_in(memory), &a);
}

static void *lock_once(void *m)
{
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    return NULL;
}

/* The same, between two threads. */
static void meet_thread(pthread_mutex_t *m)
{
    pthread_t thread;
    pause_ms(100);
    pthread_mutex_lock(m);
    pthread_create(&thread, NULL, lock_once, m);
    while (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) != 2)
        await_a_little();
    pause_ms(5);
    pthread_mutex_unlock(m);
    pthread_join(thread, NULL);
}

/* Private memory that goes unseen, a file in its place, and private memory in that one's. */
static void take_turns(int fd)
{
    for (int turn = 0; turn < 3; turn++) {
        char *memory = turn == 1 ? map_file(fd)
                                 : mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        static char *first;
        CHECK(memory != MAP_FAILED && (turn == 0 || memory == first));
        first = memory;
        init(memory);
        meet_thread(mutex_in(memory));
        CHECK(turn == 0 ? syscall(SYS_munmap, memory, SIZE) == 0 : munmap(memory, SIZE) == 0);
        if (turn == 0)
            printf("%lu\n", (unsigned long)(memory + PLACE));
    }
}

/* Private memory in the middle of a file, and what is behind it. */
static void punch(int fd)
{
    char *memory = map_file(fd), *page = memory + PLACE;
    init(memory);
    init(memory + PLACE); /* a page further */
    meet_thread(mutex_in(memory));
    CHECK(munmap(page, PLACE) == 0);
    CHECK(mmap(page, PLACE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page);
    init(memory);
    meet_thread(mutex_in(page));
    meet_thread(mutex_in(memory));
    printf("%lu\n", (unsigned long)page);
}

static void print_file(int fd)
{
    struct stat s;
    CHECK(fstat(fd, &s) == 0);
    printf("%u %u %lu\n", major(s.st_dev), minor(s.st_dev), (unsigned long)s.st_ino);
}

int main(void)
{
    int files[FILES], turn[2], id = shmget(IPC_PRIVATE, SIZE, 0600);
    char *at[FILES];
    CHECK(id >= 0 && pipe(turn) == 0);
    for (int i = 0; i < FILES; i++) {
        files[i] = make_file();
        print_file(files[i]);
        at[i] = map_file(files[i]);
        init(at[i]);
        CHECK(munmap(at[i], SIZE) == 0);
    }
    char *segment = map_segment(id);
    init(segment);
    CHECK(shmdt(segment) == 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) /* from here on all lies elsewhere in the child */
        CHECK(mmap(NULL, 16 * SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    for (int i = 0; i < FILES; i++) {
        at[i] = map_file(files[i]);
        CHECK(i == 0 || at[i] == at[0]);
        meet(at[i], pid == 0, turn[pid != 0]);
        CHECK(munmap(at[i], SIZE) == 0);
    }
    segment = map_segment(id);
    meet(segment, pid == 0, turn[pid != 0]);
    CHECK(shmdt(segment) == 0);
    if (pid == 0)
        return 0;
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && shmctl(id, IPC_RMID, NULL) == 0);
    take_turns(files[0]);
    punch(files[1]);
    return 0;
}
