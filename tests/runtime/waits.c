/* waits.c: blocking calls, each once contended and once not; sites 1.. name the calls. */
#include "target.h"

#include <semaphore.h>

#include "await.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cond_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int ready, other, main_thread;
static int step; /* which wait the other thread comes to */

static int lock(void *m, unsigned long n)
{
    (void)n;
    return VPROF_SYNC1(1, mutex_lock, pthread_mutex_lock, m);
}

/* The other thread says which wait comes next; main lets it go when it sleeps there. */
static void next(void)
{
    __atomic_add_fetch(&step, 1, __ATOMIC_RELEASE);
}

static void await_step(int n)
{
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < n)
        await_a_little();
    await_sleep(&other);
}

static void *lock_contended(void *arg)
{
    await_tell(&other);
    next();
    CHECK(lock(&mutex, 0) == 0);
    CHECK(VPROF_SYNC1(2, mutex_unlock, pthread_mutex_unlock, &mutex) == 0);
    struct timespec t = after_us(100000000);
    next();
    CHECK(VPROF_SYNC1(3, rwlock_wrlock, pthread_rwlock_wrlock, &rwlock) == 0);
    CHECK(VPROF_SYNC1(4, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
    next();
    CHECK(VPROF_SYNC2(5, mutex_timedlock, pthread_mutex_timedlock, &cond_mutex, &t) == 0);
    next();
    while (!ready)
        CHECK(VPROF_SYNC2(6, cond_wait, pthread_cond_wait, &cond, &cond_mutex) == 0);
    CHECK(VPROF_SYNC1(7, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
    next();
    CHECK(VPROF_SYNC1(8, sem_wait, sem_wait, &sem) == 0);
    next();
    int rc = VPROF_SYNC1(9, barrier_wait, pthread_barrier_wait, &barrier);
    CHECK(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
    next();
    CHECK(VPROF_SYNC1(10, rwlock_rdlock, pthread_rwlock_rdlock, &rwlock) == 0);
    CHECK(VPROF_SYNC1(11, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
    await_sleep(&main_thread); /* main waits for this thread's end */
    return arg;
}

static void uncontended(void)
{
    struct timespec t = after_us(1000000);
    for (int i = 0; i < 100; i++) {
        CHECK(lock(&mutex, 0) == 0);
        CHECK(VPROF_SYNC1(101, mutex_unlock, pthread_mutex_unlock, &mutex) == 0);
        CHECK(VPROF_SYNC1(102, rwlock_rdlock, pthread_rwlock_rdlock, &rwlock) == 0);
        CHECK(VPROF_SYNC1(103, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
        CHECK(VPROF_SYNC2(104, rwlock_timedwrlock, pthread_rwlock_timedwrlock, &rwlock, &t) == 0);
        CHECK(VPROF_SYNC1(105, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
        CHECK(VPROF_SYNC1(106, sem_post, sem_post, &sem) == 0);
        CHECK(VPROF_SYNC2(107, sem_timedwait, sem_timedwait, &sem, &t) == 0);
        CHECK(VPROF_SYNC1(108, cond_broadcast, pthread_cond_broadcast, &cond) == 0);
    }
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    uncontended();
    SI_BEGIN(1); /* the contended part */
    CHECK(lock(&mutex, 0) == 0);
    CHECK(VPROF_SYNC1(1, rwlock_rdlock, pthread_rwlock_rdlock, &rwlock) == 0);
    CHECK(lock(&cond_mutex, 0) == 0);
    CHECK(VPROF_SYNC4(20, thread_create, pthread_create, &t, NULL, lock_contended, NULL) == 0);
    await_step(1);
    CHECK(VPROF_SYNC1(21, mutex_unlock, pthread_mutex_unlock, &mutex) == 0);
    await_step(2);
    CHECK(VPROF_SYNC1(22, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
    await_step(3);
    CHECK(VPROF_SYNC1(23, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
    await_step(4);
    CHECK(lock(&cond_mutex, 0) == 0);
    ready = 1;
    CHECK(VPROF_SYNC1(24, cond_signal, pthread_cond_signal, &cond) == 0);
    CHECK(VPROF_SYNC1(25, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
    await_step(5);
    CHECK(VPROF_SYNC1(26, sem_post, sem_post, &sem) == 0);
    CHECK(VPROF_SYNC1(27, rwlock_wrlock, pthread_rwlock_wrlock, &rwlock) == 0);
    await_step(6);
    int rc = VPROF_SYNC1(28, barrier_wait, pthread_barrier_wait, &barrier);
    CHECK(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
    await_step(7);
    CHECK(VPROF_SYNC1(29, rwlock_unlock, pthread_rwlock_unlock, &rwlock) == 0);
    await_tell(&main_thread);
    CHECK(VPROF_SYNC2(30, thread_join, pthread_join, t, NULL) == 0);
    printf("mutex %p rwlock %p cond_mutex %p cond %p semaphore %p barrier %p\n", (void *)&mutex,
           (void *)&rwlock, (void *)&cond_mutex, (void *)&cond, (void *)&sem, (void *)&barrier);
    return 0;
}
