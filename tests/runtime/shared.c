/* shared.c BYTES: a child waits for a mutex that its parent holds, in memory mapped late. */
#include "target.h"

#include <sys/mman.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    pthread_mutexattr_t a;
    pthread_mutex_t *m = mmap(NULL, strtoul(argv[1], NULL, 10), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(m != MAP_FAILED);
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(m, &a);
    sleep_us(30000); /* so that a second look at the maps is due */
    VPROF_SYNC1(1, mutex_lock, pthread_mutex_lock, m);
    if (fork() == 0) {
        VPROF_SYNC1(2, mutex_lock, pthread_mutex_lock, m);
        VPROF_SYNC1(3, mutex_unlock, pthread_mutex_unlock, m);
        exit(0);
    }
    while (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) != 2) /* glibc: somebody waits */
        sleep_us(1000);
    sleep_us(5000);
    VPROF_SYNC1(4, mutex_unlock, pthread_mutex_unlock, m);
    wait(NULL);
    printf("%p\n", (void *)m);
    return 0;
}
