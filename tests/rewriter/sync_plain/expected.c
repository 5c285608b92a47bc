#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct shared {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int count;
};

static struct shared shared[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}};

static struct shared *which(int n)
{VPROF_FUNCTION(1)
    return &shared[n];
}

static void *work(void *data)
{VPROF_FUNCTION(2)
    struct shared *own = data;
    VPROF_SYNC1(4, mutex_lock, pthread_mutex_lock, &own->lock);
    own->count++;
    VPROF_SYNC1(5, cond_signal, pthread_cond_signal, &own->ready);
    if (VPROF_SYNC1
        (6, mutex_unlock, pthread_mutex_unlock, &own->lock))
        return NULL;
    return data;
}

int main(void)
{VPROF_FUNCTION(3)
    pthread_t thread;
    void *result;
    int (*lock)(pthread_mutex_t *) = pthread_mutex_lock;
    VPROF_SYNC1(7, mutex_lock, pthread_mutex_lock, &which(0)->lock); /* the thread has to wait until we do */
    if (VPROF_SYNC4(9, thread_create, pthread_create, &thread, NULL, work, &shared[0]) != 0)
        return 1;
    while (!shared[0].count)
        VPROF_SYNC2(10, cond_wait, pthread_cond_wait, &shared[0].ready, &shared[0].lock);
    VPROF_SYNC1(11, mutex_unlock, pthread_mutex_unlock, &shared[0].lock);
    (void)VPROF_SYNC2(12, thread_join, pthread_join, thread, &result);
    __extension__({VPROF_FUNCTION(13) VPROF_TARGET(13, lock)(&shared[0].lock);}), (pthread_mutex_unlock)(&shared[0].lock);
    return __extension__({VPROF_FUNCTION(15) printf("%d\n", result == &shared[0]);}) < 0;
}
