/* cancelled.c: cancellation ends a thread where it does without the runtime, and only there. */
#include "target.h"

#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t empty, full;
static volatile int calls, go;

static void unlock(void *m)
{
    VPROF_SYNC1(1, mutex_unlock, pthread_mutex_unlock, m);
}

static void *in_cond(void *arg)
{
    VPROF_FUNCTION(1)
    VPROF_SYNC1(2, mutex_lock, pthread_mutex_lock, &mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        VPROF_SYNC2(3, cond_wait, pthread_cond_wait, &cond, &mutex);
    pthread_cleanup_pop(1);
    return arg;
}

static void *in_sem(void *arg)
{
    VPROF_SYNC1(4, sem_wait, sem_wait, &empty);
    return arg;
}

static void *in_free_sem(void *arg)
{
    while (!go)
        ;
    VPROF_SYNC1(5, sem_wait, sem_wait, &full); /* does not block, but is a cancellation point */
    return arg;
}

static void *in_join(void *other)
{
    VPROF_SYNC2(6, thread_join, pthread_join, *(pthread_t *)other, NULL);
    return other;
}

/* With a cancellation pending, new chunks are opened and mapped: none of that may end the thread.
 */
static void *nowhere(void *arg)
{
    while (!go)
        ;
    for (; calls < 200000; calls++) {
        VPROF_FUNCTION(7)
        SI_VALUE(1, "n", 1);
    }
    pthread_testcancel();
    return arg;
}

static void cancel(void *(*f)(void *), void *arg)
{
    pthread_t t;
    void *result;
    go = 0;
    CHECK(pthread_create(&t, NULL, f, arg) == 0);
    sleep_us(20000);
    CHECK(pthread_cancel(t) == 0);
    go = 1;
    CHECK(pthread_join(t, &result) == 0);
    CHECK(result == PTHREAD_CANCELED);
}

static void *sleeper(void *arg)
{
    sleep(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, 0);
    sem_init(&full, 0, 1);
    cancel(in_cond, NULL);
    CHECK(pthread_mutex_trylock(&mutex) == 0); /* the clean-up ran, once */
    cancel(in_sem, NULL);
    cancel(in_free_sem, NULL);
    cancel(nowhere, NULL);
    CHECK(calls == 200000);
    CHECK(pthread_create(&t, NULL, sleeper, NULL) == 0);
    cancel(in_join, &t);
    CHECK(pthread_join(t, NULL) == 0);
    return 0;
}
