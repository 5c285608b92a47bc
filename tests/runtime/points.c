/* points.c: which functions are cancellation points, and that a thread that is cancelled in one
 * lets go of everything. Each is cancelled while it waits; those that are none are let go on
 * afterwards. The rewritten program must print the same as this one. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <threads.h>

#include "await.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, cond_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t empty, full;
static mtx_t mtx, cnd_mtx;
static cnd_t cnd;
static pthread_t sleeper;
static int set, waiting, passed, cleaned, go;

static struct timespec later(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 100;
    return t;
}
#define REAL (&(struct timespec[]){later(CLOCK_REALTIME)}[0])
#define MONO (&(struct timespec[]){later(CLOCK_MONOTONIC)}[0])

static void clean(void *m)
{
    cleaned++;
    if (m)
        pthread_mutex_unlock(m);
}

static void clean_mtx(void *m)
{
    cleaned++;
    mtx_unlock(m);
}

static void *sleeps(void *arg)
{
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        await_a_little();
    return arg;
}

static int operate(int n)
{
    struct sembuf operation = {0, (short)n, 0};
    return semop(set, &operation, 1);
}

#define IN(name, push, before, wait)                                                               \
    static void *in_##name(void *arg)                                                              \
    {                                                                                              \
        before;                                                                                    \
        push;                                                                                      \
        await_tell(&waiting);                                                                      \
        wait;                                                                                      \
        __atomic_store_n(&passed, 1, __ATOMIC_RELEASE);                                            \
        for (;;)                                                                                   \
            sleep(100);                                                                            \
        pthread_cleanup_pop(0);                                                                    \
        return arg;                                                                                \
    }
#define PLAIN pthread_cleanup_push(clean, NULL)
#define UNLOCKS pthread_cleanup_push(clean, &cond_mutex)
#define UNLOCKS_MTX pthread_cleanup_push(clean_mtx, &cnd_mtx)
#define LOCKED pthread_mutex_lock(&cond_mutex)
#define FOREVER(call)                                                                              \
    for (;;)                                                                                       \
    call

IN(cond_wait, UNLOCKS, LOCKED, FOREVER(pthread_cond_wait(&cond, &cond_mutex)))
IN(cond_timedwait, UNLOCKS, LOCKED, FOREVER(pthread_cond_timedwait(&cond, &cond_mutex, REAL)))
IN(cond_clockwait, UNLOCKS, LOCKED,
   FOREVER(pthread_cond_clockwait(&cond, &cond_mutex, CLOCK_MONOTONIC, MONO)))
IN(sem_wait, PLAIN, , sem_wait(&empty))
IN(sem_timedwait, PLAIN, , sem_timedwait(&empty, REAL))
IN(sem_clockwait, PLAIN, , sem_clockwait(&empty, CLOCK_MONOTONIC, MONO))
IN(join, PLAIN, , pthread_join(sleeper, NULL))
IN(timedjoin, PLAIN, , pthread_timedjoin_np(sleeper, NULL, REAL))
IN(clockjoin, PLAIN, , pthread_clockjoin_np(sleeper, NULL, CLOCK_MONOTONIC, MONO))
IN(thrd_join, PLAIN, , thrd_join(sleeper, NULL))
IN(cnd_wait, UNLOCKS_MTX, mtx_lock(&cnd_mtx), FOREVER(cnd_wait(&cnd, &cnd_mtx)))
IN(cnd_timedwait, UNLOCKS_MTX, mtx_lock(&cnd_mtx), FOREVER(cnd_timedwait(&cnd, &cnd_mtx, REAL)))
IN(mutex, PLAIN, , pthread_mutex_lock(&held); pthread_mutex_unlock(&held))
IN(timedlock, PLAIN, , pthread_mutex_timedlock(&held, REAL); pthread_mutex_unlock(&held))
IN(rdlock, PLAIN, , pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock))
IN(wrlock, PLAIN, , pthread_rwlock_wrlock(&rwlock); pthread_rwlock_unlock(&rwlock))
IN(barrier, PLAIN, , pthread_barrier_wait(&barrier))
IN(mtx_lock, PLAIN, , mtx_lock(&mtx); mtx_unlock(&mtx))
IN(semop, PLAIN, , operate(-1))

static int ends[2], events_of;

static int select_forever(void)
{
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(ends[0], &reads);
    return select(ends[0] + 1, &reads, NULL, NULL, NULL);
}

static int poll_forever(void)
{
    struct pollfd one = {ends[0], POLLIN, 0};
    return poll(&one, 1, -1);
}

static int epoll_forever(void)
{
    struct epoll_event event;
    return epoll_wait(events_of, &event, 1, -1);
}

IN(poll, PLAIN, , poll_forever())
IN(select, PLAIN, , select_forever())
IN(epoll, PLAIN, , epoll_forever())

static void wait_to_go(void)
{
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        ;
}

/* Cancelled before it waits, where it would not have to. */
IN(free_sem_wait, PLAIN, , wait_to_go(); sem_wait(&full))
IN(free_sem_timedwait, PLAIN, , wait_to_go(); sem_timedwait(&full, REAL))
IN(free_sem_clockwait, PLAIN, , wait_to_go(); sem_clockwait(&full, CLOCK_MONOTONIC, MONO))
IN(free_mutex, PLAIN, , wait_to_go(); pthread_mutex_lock(&cond_mutex);
   pthread_mutex_unlock(&cond_mutex))
IN(free_rwlock, PLAIN, , wait_to_go(); pthread_rwlock_rdlock(&rwlock);
   pthread_rwlock_unlock(&rwlock))

static void cancel(const char *name, void *(*f)(void *), int runs)
{
    pthread_t t;
    unsigned long ran;
    waiting = passed = cleaned = go = 0;
    if (pthread_create(&t, NULL, f, NULL))
        exit(1);
    if (runs)
        while (!__atomic_load_n(&waiting, __ATOMIC_ACQUIRE))
            await_a_little();
    else
        await_sleep(&waiting);
    pthread_cancel(t);
    __atomic_store_n(&go, runs, __ATOMIC_RELEASE);
    printf("%s: ", name);
    (void)ran;
    fflush(stdout);
    /* One that is none goes on waiting until it is let go. */
    if (strcmp(name, "mutex") == 0 || strcmp(name, "timedlock") == 0)
        pthread_mutex_unlock(&held);
    if (strcmp(name, "rdlock") == 0 || strcmp(name, "wrlock") == 0)
        pthread_rwlock_unlock(&rwlock);
    if (strcmp(name, "barrier") == 0)
        pthread_barrier_wait(&barrier);
    if (strcmp(name, "mtx_lock") == 0)
        mtx_unlock(&mtx);
    if (strcmp(name, "semop") == 0)
        operate(1);
    void *result = NULL;
    pthread_join(t, &result);
    printf("%s, passed %d, cleaned %d\n", result == PTHREAD_CANCELED ? "cancelled" : "ended",
           passed, cleaned);
}
#define CANCEL(name) cancel(#name, in_##name, 0)
#define CANCEL_FREE(name) cancel(#name, in_##name, 1)

int main(void)
{
    sem_init(&empty, 0, 0);
    sem_init(&full, 0, 1);
    mtx_init(&mtx, mtx_plain);
    mtx_init(&cnd_mtx, mtx_plain);
    cnd_init(&cnd);
    pthread_barrier_init(&barrier, NULL, 2);
    set = semget(IPC_PRIVATE, 1, 0600);
    CANCEL(cond_wait), CANCEL(cond_timedwait), CANCEL(cond_clockwait);
    CANCEL(sem_wait), CANCEL(sem_timedwait), CANCEL(sem_clockwait);
    CANCEL(cnd_wait), CANCEL(cnd_timedwait);
    if (pthread_create(&sleeper, NULL, sleeps, NULL))
        return 1;
    CANCEL(join), CANCEL(timedjoin), CANCEL(clockjoin), CANCEL(thrd_join);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    pthread_join(sleeper, NULL);
    pthread_mutex_lock(&held);
    CANCEL(mutex);
    pthread_mutex_lock(&held);
    CANCEL(timedlock);
    pthread_rwlock_wrlock(&rwlock);
    CANCEL(rdlock);
    pthread_rwlock_wrlock(&rwlock);
    CANCEL(wrlock);
    CANCEL(barrier);
    mtx_lock(&mtx);
    CANCEL(mtx_lock);
    if (set >= 0)
        CANCEL(semop);
    struct epoll_event event = {.events = EPOLLIN};
    events_of = epoll_create1(0);
    if (pipe(ends) != 0 || epoll_ctl(events_of, EPOLL_CTL_ADD, ends[0], &event) != 0)
        return 1;
    CANCEL(poll), CANCEL(select), CANCEL(epoll);
    CANCEL_FREE(free_sem_wait), CANCEL_FREE(free_sem_timedwait), CANCEL_FREE(free_sem_clockwait);
    CANCEL_FREE(free_mutex), CANCEL_FREE(free_rwlock);
    if (set >= 0)
        semctl(set, 0, IPC_RMID);
    int count = -1;
    sem_getvalue(&full, &count);
    printf("locks free: %d %d, semaphore %d\n", pthread_mutex_trylock(&cond_mutex),
           mtx_trylock(&cnd_mtx), count);
    return 0;
}
