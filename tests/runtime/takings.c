/* takings.c: takes each kind of object while a thread waits for one of the same low address bits,
 * and again while nobody does; prints what was taken. A second thread waits for a condition: woken
 * for nothing twice, then with the mutex given back in between, then for another condition. */
#include "target.h"

#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>

#include "await.h"

static union page {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    sem_t sem;
    mtx_t mtx;
    int user;
    char bytes[4096];
} pages[8] __attribute__((aligned(4096)));
enum { AWAITED, MUTEX, RECURSIVE, RWLOCK, SPIN, SEM, MTX, USER };

static pthread_mutex_t cond_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t conds[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int waiter, loop;

static void *wait_once(void *arg)
{
    await_tell(&waiter);
    CHECK(VPROF_SYNC1(30, mutex_lock, pthread_mutex_lock, &pages[AWAITED].mutex) == 0);
    CHECK(VPROF_SYNC1(31, mutex_unlock, pthread_mutex_unlock, &pages[AWAITED].mutex) == 0);
    return arg;
}

static void wait_for(int cond)
{
    CHECK(VPROF_SYNC2(40, cond_wait, pthread_cond_wait, &conds[cond], &cond_mutex) == 0);
}

static void *wait_in_loop(void *arg)
{
    CHECK(VPROF_SYNC1(41, mutex_lock, pthread_mutex_lock, &cond_mutex) == 0);
    await_tell(&loop);
    wait_for(0);
    wait_for(0);
    wait_for(0);
    CHECK(VPROF_SYNC1(42, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
    CHECK(VPROF_SYNC1(41, mutex_lock, pthread_mutex_lock, &cond_mutex) == 0);
    wait_for(0);
    wait_for(1);
    CHECK(VPROF_SYNC1(42, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
    return arg;
}

static void wake(int cond)
{
    await_sleep(&loop);
    CHECK(VPROF_SYNC1(43, mutex_lock, pthread_mutex_lock, &cond_mutex) == 0);
    CHECK(VPROF_SYNC1(44, cond_signal, pthread_cond_signal, &conds[cond]) == 0);
    CHECK(VPROF_SYNC1(45, mutex_unlock, pthread_mutex_unlock, &cond_mutex) == 0);
}

static bool show;
static void say(int page, const char *operation, int site)
{
    if (show)
        printf("%p %s %d\n", (void *)&pages[page], operation, site);
}

#define TAKE(n, hook, real, page, member, operation)                                               \
    CHECK(VPROF_SYNC1(n, hook, real, &pages[page].member) == 0);                                   \
    say(page, operation, n)
#define TAKE_UNTIL(n, hook, real, page, member, operation)                                         \
    CHECK(VPROF_SYNC2(n, hook, real, &pages[page].member, &until) == 0);                           \
    say(page, operation, n)
#define GIVE(hook, real, page, member) CHECK(VPROF_SYNC1(29, hook, real, &pages[page].member) == 0)

static void take_mutexes(struct timespec until)
{
    TAKE(1, mutex_lock, pthread_mutex_lock, MUTEX, mutex, "mutex");
    GIVE(mutex_unlock, pthread_mutex_unlock, MUTEX, mutex);
    TAKE(2, mutex_trylock, pthread_mutex_trylock, MUTEX, mutex, "mutex");
    CHECK(VPROF_SYNC1(3, mutex_trylock, pthread_mutex_trylock, &pages[MUTEX].mutex) == EBUSY);
    GIVE(mutex_unlock, pthread_mutex_unlock, MUTEX, mutex);
    TAKE_UNTIL(4, mutex_timedlock, pthread_mutex_timedlock, RECURSIVE, mutex, "mutex");
    TAKE(5, mutex_lock, pthread_mutex_lock, RECURSIVE, mutex, "mutex");
    GIVE(mutex_unlock, pthread_mutex_unlock, RECURSIVE, mutex);
    GIVE(mutex_unlock, pthread_mutex_unlock, RECURSIVE, mutex);
    TAKE(6, spin_lock, pthread_spin_lock, SPIN, spin, "mutex");
    GIVE(spin_unlock, pthread_spin_unlock, SPIN, spin);
    TAKE(7, spin_trylock, pthread_spin_trylock, SPIN, spin, "mutex");
    GIVE(spin_unlock, pthread_spin_unlock, SPIN, spin);
    TAKE(8, mtx_lock, mtx_lock, MTX, mtx, "mutex");
    GIVE(mtx_unlock, mtx_unlock, MTX, mtx);
    TAKE(9, mtx_trylock, mtx_trylock, MTX, mtx, "mutex");
    CHECK(VPROF_SYNC1(3, mtx_trylock, mtx_trylock, &pages[MTX].mtx) == thrd_busy);
    GIVE(mtx_unlock, mtx_unlock, MTX, mtx);
}

static void take_others(struct timespec until)
{
    TAKE(10, rwlock_rdlock, pthread_rwlock_rdlock, RWLOCK, rwlock, "rwlock_read");
    TAKE(11, rwlock_tryrdlock, pthread_rwlock_tryrdlock, RWLOCK, rwlock, "rwlock_read");
    CHECK(VPROF_SYNC1(3, rwlock_trywrlock, pthread_rwlock_trywrlock, &pages[RWLOCK].rwlock) ==
          EBUSY);
    GIVE(rwlock_unlock, pthread_rwlock_unlock, RWLOCK, rwlock);
    GIVE(rwlock_unlock, pthread_rwlock_unlock, RWLOCK, rwlock);
    TAKE(12, rwlock_trywrlock, pthread_rwlock_trywrlock, RWLOCK, rwlock, "rwlock_write");
    GIVE(rwlock_unlock, pthread_rwlock_unlock, RWLOCK, rwlock);
    TAKE_UNTIL(13, rwlock_timedwrlock, pthread_rwlock_timedwrlock, RWLOCK, rwlock, "rwlock_write");
    GIVE(rwlock_unlock, pthread_rwlock_unlock, RWLOCK, rwlock);
    GIVE(sem_post, sem_post, SEM, sem);
    TAKE(14, sem_trywait, sem_trywait, SEM, sem, "semaphore");
    CHECK(VPROF_SYNC1(3, sem_trywait, sem_trywait, &pages[SEM].sem) == -1 && errno == EAGAIN);
    __extension__({ VPROF_ACQUIRING(15)(void) VPROF_OBJECT(15, &pages[USER].user); });
    say(USER, "user", 15);
    (void)VPROF_RELEASED(29, &pages[USER].user);
    VPROF_SPIN_BEGIN(&pages[USER].user);
    VPROF_SPIN_END(&pages[USER].user);
    say(USER, "spin", 0);
    VPROF_RELEASE(&pages[USER].user);
}

static void init(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&pages[RECURSIVE].mutex, &recursive);
    pthread_spin_init(&pages[SPIN].spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&pages[SEM].sem, 0, 0);
    mtx_init(&pages[MTX].mtx, mtx_plain);
}

int main(void)
{
    pthread_t t, u;
    struct timespec until = after_us(100000000);
    init();
    CHECK(pthread_mutex_lock(&pages[AWAITED].mutex) == 0);
    CHECK(pthread_create(&t, NULL, wait_once, NULL) == 0);
    await_sleep(&waiter);
    show = true;
    take_mutexes(until);
    take_others(until);
    show = false;
    CHECK(pthread_mutex_unlock(&pages[AWAITED].mutex) == 0);
    CHECK(pthread_join(t, NULL) == 0);
    CHECK(pthread_create(&u, NULL, wait_in_loop, NULL) == 0);
    take_mutexes(until);
    take_others(until);
    for (int i = 0; i < 5; i++)
        wake(i == 4);
    CHECK(pthread_join(u, NULL) == 0);
    return 0;
}
