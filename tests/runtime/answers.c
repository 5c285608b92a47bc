/* answers.c: results and errno of the wrapped calls, in the cases where a careless wrapper would
 * answer otherwise. Run with and without the runtime. */
#include "target.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>

#define LOCK(m) VPROF_SYNC1(1, mutex_lock, pthread_mutex_lock, m)
#define TIMEDLOCK(m, t) VPROF_SYNC2(2, mutex_timedlock, pthread_mutex_timedlock, m, t)
#define UNLOCK(m) VPROF_SYNC1(3, mutex_unlock, pthread_mutex_unlock, m)

static pthread_mutex_t make(int type, int robust)
{
    pthread_mutex_t m;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, type);
    pthread_mutexattr_setrobust(&a, robust);
    pthread_mutex_init(&m, &a);
    return m;
}

static void *lock_and_die(void *m)
{
    CHECK(LOCK((pthread_mutex_t *)m) == 0);
    return NULL;
}

static void *unlock_foreign(void *m)
{
    CHECK(UNLOCK((pthread_mutex_t *)m) == EPERM);
    return NULL;
}

static void in_thread(void *(*f)(void *), void *arg)
{
    pthread_t t;
    CHECK(pthread_create(&t, NULL, f, arg) == 0);
    CHECK(pthread_join(t, NULL) == 0);
}

static void mutexes(void)
{
    struct timespec soon = after_us(2000);
    pthread_mutex_t check = make(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    pthread_mutex_t recursive = make(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    static pthread_mutex_t robust, normal = PTHREAD_MUTEX_INITIALIZER;
    robust = make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    CHECK(LOCK(&check) == 0 && LOCK(&check) == EDEADLK && TIMEDLOCK(&check, &soon) == EDEADLK);
    in_thread(unlock_foreign, &check);
    CHECK(UNLOCK(&check) == 0 && UNLOCK(&check) == EPERM);
    CHECK(LOCK(&recursive) == 0 && LOCK(&recursive) == 0 && TIMEDLOCK(&recursive, &soon) == 0);
    CHECK(UNLOCK(&recursive) == 0 && UNLOCK(&recursive) == 0 && UNLOCK(&recursive) == 0);
    CHECK(UNLOCK(&recursive) == EPERM);
    CHECK(LOCK(&normal) == 0 && TIMEDLOCK(&normal, &soon) == ETIMEDOUT);
    in_thread(lock_and_die, &robust);
    CHECK(LOCK(&robust) == EOWNERDEAD);
    CHECK(UNLOCK(&robust) == 0 && LOCK(&robust) == ENOTRECOVERABLE);
}

static void rwlocks(void)
{
    static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec soon = after_us(2000);
    CHECK(VPROF_SYNC1(1, rwlock_wrlock, pthread_rwlock_wrlock, &l) == 0);
    CHECK(VPROF_SYNC1(1, rwlock_wrlock, pthread_rwlock_wrlock, &l) == EDEADLK);
    CHECK(VPROF_SYNC1(1, rwlock_rdlock, pthread_rwlock_rdlock, &l) == EDEADLK);
    CHECK(VPROF_SYNC1(1, rwlock_unlock, pthread_rwlock_unlock, &l) == 0);
    CHECK(VPROF_SYNC1(1, rwlock_rdlock, pthread_rwlock_rdlock, &l) == 0);
    CHECK(VPROF_SYNC2(1, rwlock_timedrdlock, pthread_rwlock_timedrdlock, &l, &soon) == 0);
    CHECK(VPROF_SYNC2(1, rwlock_timedwrlock, pthread_rwlock_timedwrlock, &l, &soon) == ETIMEDOUT);
}

static void on_alarm(int n)
{
    (void)n;
}

static void semaphores(void)
{
    sem_t s;
    struct timespec soon = after_us(2000), bad = {0, -1};
    struct sigaction a = {.sa_handler = on_alarm}; /* no SA_RESTART */
    sem_init(&s, 0, 1);
    errno = 55;
    CHECK(VPROF_SYNC1(1, sem_wait, sem_wait, &s) == 0 && errno == 55);
    CHECK(VPROF_SYNC2(1, sem_timedwait, sem_timedwait, &s, &soon) == -1 && errno == ETIMEDOUT);
    CHECK(VPROF_SYNC2(1, sem_timedwait, sem_timedwait, &s, &bad) == -1 && errno == EINVAL);
    sigaction(SIGALRM, &a, NULL);
    ualarm(5000, 0);
    CHECK(VPROF_SYNC1(1, sem_wait, sem_wait, &s) == -1 && errno == EINTR);
    errno = 55;
    CHECK(VPROF_SYNC1(1, sem_post, sem_post, &s) == 0 && errno == 55);
}

static void conditions(void)
{
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct timespec soon = after_us(2000);
    errno = 55;
    LOCK(&m);
    CHECK(VPROF_SYNC3(1, cond_timedwait, pthread_cond_timedwait, &c, &m, &soon) == ETIMEDOUT);
    UNLOCK(&m);
    CHECK(VPROF_SYNC2(1, thread_join, pthread_join, pthread_self(), NULL) == EDEADLK);
    CHECK(errno == 55);
}

static void many_records(void)
{
    errno = 55;
    for (int i = 0; i < 300000; i++) {
        VPROF_FUNCTION(1)
        SI_VALUE(1, "n", i);
    }
    CHECK(errno == 55);
}

int main(void)
{
    mutexes();
    rwlocks();
    semaphores();
    conditions();
    many_records();
    return 0;
}
