#include <pthread.h>
#include <stdio.h>

static int waits;

/* The program's own, whatever libc has: neither the name nor its calls are touched. */
int sem_wait(void *own);
int sem_wait(void *own)
{
    waits++;
    return own == NULL;
}

static int mtx_lock(int n)
{
    return n;
}

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int (*wait)(void *) = sem_wait;
    (pthread_mutex_lock)(&m);
    printf("%d %d %d %d\n", sem_wait(&m), wait(NULL), waits, mtx_lock(3));
    return VPROF_SYNC1(9, mutex_unlock, pthread_mutex_unlock, &m);
}
