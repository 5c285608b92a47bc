/* primitives.c: each blocking function blocks once, and the main thread knows that it does before
 * it lets it go on. Rewritten, no call can be edited (the names come out of a macro), so that all
 * go through the redirected symbols. Prints the name, operation and object of each. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <threads.h>

#include "await.h"
#include "check.h"

#define DO(function) function
#define OK(call) CHECK((call) == 0)

static pthread_mutex_t mutexes[3], cond_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t conds[3];
static pthread_rwlock_t rwlocks[6];
static sem_t sems[3];
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static mtx_t mtxs[2], cnd_mtx;
static cnd_t cnds[2];
static pthread_t joined[3];
static thrd_t thrd_joined;
static unsigned long sets[2];
static unsigned words[2];
static int set_id;
static int waiting, ready, may_end, joined_tid;

static struct timespec later(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 100;
    return t;
}
#define LATER (&(struct timespec[]){later(CLOCK_REALTIME)}[0])
#define LATER_MONOTONIC (&(struct timespec[]){later(CLOCK_MONOTONIC)}[0])

static void *ends_when_told(void *arg)
{
    await_tell(&joined_tid);
    while (!__atomic_load_n(&may_end, __ATOMIC_ACQUIRE))
        await_a_little();
    return arg;
}

static int thrd_ends_when_told(void *arg)
{
    return ends_when_told(arg) == arg ? 7 : 8;
}

static void start_joined(int i)
{
    __atomic_store_n(&may_end, 0, __ATOMIC_RELEASE);
    OK(DO(pthread_create)(&joined[i], NULL, ends_when_told, NULL));
}

static void let_end(void)
{
    __atomic_store_n(&may_end, 1, __ATOMIC_RELEASE);
}

static void cond_ready(int i, int all)
{
    OK(pthread_mutex_lock(&cond_mutex));
    ready = 1;
    OK(all ? DO(pthread_cond_broadcast)(&conds[i]) : DO(pthread_cond_signal)(&conds[i]));
    OK(pthread_mutex_unlock(&cond_mutex));
}

static void cnd_ready(int i, int all)
{
    OK(DO(mtx_lock)(&cnd_mtx));
    ready = 1;
    OK(all ? DO(cnd_broadcast)(&cnds[i]) : DO(cnd_signal)(&cnds[i]));
    OK(DO(mtx_unlock)(&cnd_mtx));
}

static long futex(int i, int operation, unsigned value, const struct timespec *until)
{
    return DO(syscall)(SYS_futex, &words[i], operation, value, until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void word_await(int i, int operation, const struct timespec *until)
{
    while (!__atomic_load_n(&words[i], __ATOMIC_ACQUIRE))
        CHECK(futex(i, operation, 0, until) == 0 || errno == EAGAIN);
}

static void word_set(int i, int operation)
{
    __atomic_store_n(&words[i], 1, __ATOMIC_RELEASE);
    CHECK(futex(i, operation, 1, NULL) == 1);
}

static int operate(int n)
{
    struct sembuf operation = {0, (short)n, 0};
    return DO(semop)(set_id, &operation, 1);
}

static int operate_timed(int n)
{
    struct sembuf operation = {1, (short)n, 0};
    struct timespec most = {100, 0};
    return DO(semtimedop)(set_id, &operation, 1, &most);
}

#define COND(call)                                                                                 \
    OK(pthread_mutex_lock(&cond_mutex));                                                           \
    while (!ready)                                                                                 \
        OK(call);                                                                                  \
    OK(pthread_mutex_unlock(&cond_mutex));
#define CND(call)                                                                                  \
    OK(mtx_lock(&cnd_mtx));                                                                        \
    while (!ready)                                                                                 \
        OK(call);                                                                                  \
    OK(mtx_unlock(&cnd_mtx));

/* X(name, operation, object, before, wait, wake) */
#define MUTEX(X, name, i, call)                                                                    \
    X(name, mutex, &mutexes[i], OK(DO(pthread_mutex_lock)(&mutexes[i])), OK(call);                 \
      OK(DO(pthread_mutex_unlock)(&mutexes[i])), OK(DO(pthread_mutex_unlock)(&mutexes[i])))
#define RWLOCK(X, name, what, i, call)                                                             \
    X(name, what, &rwlocks[i], OK(DO(pthread_rwlock_wrlock)(&rwlocks[i])), OK(call);               \
      OK(DO(pthread_rwlock_unlock)(&rwlocks[i])), OK(DO(pthread_rwlock_unlock)(&rwlocks[i])))
#define MTX(X, name, i, call)                                                                      \
    X(name, mutex, &mtxs[i], OK(DO(mtx_lock)(&mtxs[i])), OK(call);                                 \
      OK(DO(mtx_unlock)(&mtxs[i])), OK(DO(mtx_unlock)(&mtxs[i])))
#define CASES(X)                                                                                   \
    MUTEX(X, lock, 0, DO(pthread_mutex_lock)(&mutexes[0]))                                         \
    MUTEX(X, timedlock, 1, DO(pthread_mutex_timedlock)(&mutexes[1], LATER))                        \
    MUTEX(X, clocklock, 2,                                                                         \
          DO(pthread_mutex_clocklock)(&mutexes[2], CLOCK_MONOTONIC, LATER_MONOTONIC))              \
    X(cond_wait, cond, &conds[0], ready = 0, COND(DO(pthread_cond_wait)(&conds[0], &cond_mutex)),  \
      cond_ready(0, 0))                                                                            \
    X(cond_timedwait, cond, &conds[1], ready = 0,                                                  \
      COND(DO(pthread_cond_timedwait)(&conds[1], &cond_mutex, LATER)), cond_ready(1, 1))           \
    X(cond_clockwait, cond, &conds[2], ready = 0,                                                  \
      COND(DO(pthread_cond_clockwait)(&conds[2], &cond_mutex, CLOCK_MONOTONIC, LATER_MONOTONIC)),  \
      cond_ready(2, 0))                                                                            \
    RWLOCK(X, rdlock, rwlock_read, 0, DO(pthread_rwlock_rdlock)(&rwlocks[0]))                      \
    RWLOCK(X, wrlock, rwlock_write, 1, DO(pthread_rwlock_wrlock)(&rwlocks[1]))                     \
    RWLOCK(X, timedrdlock, rwlock_read, 2, DO(pthread_rwlock_timedrdlock)(&rwlocks[2], LATER))     \
    RWLOCK(X, timedwrlock, rwlock_write, 3, DO(pthread_rwlock_timedwrlock)(&rwlocks[3], LATER))    \
    RWLOCK(X, clockrdlock, rwlock_read, 4,                                                         \
           DO(pthread_rwlock_clockrdlock)(&rwlocks[4], CLOCK_MONOTONIC, LATER_MONOTONIC))          \
    RWLOCK(X, clockwrlock, rwlock_write, 5,                                                        \
           DO(pthread_rwlock_clockwrlock)(&rwlocks[5], CLOCK_REALTIME, LATER))                     \
    X(sem_wait, semaphore, &sems[0], , OK(DO(sem_wait)(&sems[0])), OK(DO(sem_post)(&sems[0])))     \
    X(sem_timedwait, semaphore, &sems[1], , OK(DO(sem_timedwait)(&sems[1], LATER)),                \
      OK(DO(sem_post)(&sems[1])))                                                                  \
    X(sem_clockwait, semaphore, &sems[2], ,                                                        \
      OK(DO(sem_clockwait)(&sems[2], CLOCK_MONOTONIC, LATER_MONOTONIC)),                           \
      OK(DO(sem_post)(&sems[2])))                                                                  \
    X(barrier, barrier, &barrier, , OK(DO(pthread_barrier_wait)(&barrier)),                        \
      CHECK(DO(pthread_barrier_wait)(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD))                  \
    X(join, join, joined[0], start_joined(0), OK(DO(pthread_join)(joined[0], NULL)), let_end())    \
    X(timedjoin, join, joined[1], start_joined(1),                                                 \
      OK(DO(pthread_timedjoin_np)(joined[1], NULL, LATER)), let_end())                             \
    X(clockjoin, join, joined[2], start_joined(2),                                                 \
      OK(DO(pthread_clockjoin_np)(joined[2], NULL, CLOCK_MONOTONIC, LATER_MONOTONIC)), let_end())  \
    X(spin, mutex, &spin, OK(DO(pthread_spin_lock)(&spin)), OK(DO(pthread_spin_lock)(&spin));      \
      OK(DO(pthread_spin_unlock)(&spin)), OK(DO(pthread_spin_unlock)(&spin)))                      \
    MTX(X, mtx_lock, 0, DO(mtx_lock)(&mtxs[0]))                                                    \
    MTX(X, mtx_timedlock, 1, DO(mtx_timedlock)(&mtxs[1], LATER))                                   \
    X(cnd_wait, cond, &cnds[0], ready = 0, CND(DO(cnd_wait)(&cnds[0], &cnd_mtx)), cnd_ready(0, 0)) \
    X(cnd_timedwait, cond, &cnds[1], ready = 0, CND(DO(cnd_timedwait)(&cnds[1], &cnd_mtx, LATER)), \
      cnd_ready(1, 1))                                                                             \
    X(thrd_join, join, thrd_joined, may_end = 0;                                                   \
      OK(DO(thrd_create)(&thrd_joined, thrd_ends_when_told, NULL)), int result;                    \
      OK(DO(thrd_join)(thrd_joined, &result)); CHECK(result == 7), let_end())                      \
    X(futex, futex, &words[0], , word_await(0, FUTEX_WAIT, NULL), word_set(0, FUTEX_WAKE))         \
    X(futex_until, futex, &words[1], , word_await(1, FUTEX_WAIT_BITSET_PRIVATE, LATER_MONOTONIC),  \
      word_set(1, FUTEX_WAKE_BITSET_PRIVATE))                                                      \
    X(semop, semaphore, sets[0], , OK(operate(-1)), OK(operate(1)))                                \
    X(semtimedop, semaphore, sets[1], , OK(operate_timed(-1)), OK(operate_timed(1)))

#define WAITER(name, operation, object, before, wait, wake)                                        \
    static void *wait_##name(void *arg)                                                            \
    {                                                                                              \
        await_tell(&waiting);                                                                      \
        wait;                                                                                      \
        return arg;                                                                                \
    }
CASES(WAITER)

/* The number of a set's semaphore, as the trace has it. */
static unsigned long set_object(int number)
{
    return 0x5356ul << 48 | (unsigned long)(unsigned)set_id << 16 | (unsigned long)number;
}

static void prepare(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&mutexes[i], NULL);
        pthread_cond_init(&conds[i], NULL);
        sem_init(&sems[i], 0, 0);
    }
    for (int i = 0; i < 6; i++)
        pthread_rwlock_init(&rwlocks[i], NULL);
    for (int i = 0; i < 2; i++) {
        mtx_init(&mtxs[i], mtx_timed);
        cnd_init(&cnds[i]);
    }
    mtx_init(&cnd_mtx, mtx_plain);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spin, 0);
    set_id = semget(IPC_PRIVATE, 2, 0600);
}

#define RUN(name, operation, object, before, wait, wake)                                           \
    {                                                                                              \
        if (set_id >= 0 || strncmp(#name, "sem", 3) != 0 || strchr(#name, '_')) {                  \
            pthread_t thread;                                                                      \
            before;                                                                                \
            waiting = 0;                                                                           \
            OK(DO(pthread_create)(&thread, NULL, wait_##name, NULL));                              \
            if (strcmp(#name, "spin") == 0)                                                        \
                await_spin(&waiting);                                                              \
            else                                                                                   \
                await_sleep(&waiting);                                                             \
            wake;                                                                                  \
            OK(DO(pthread_join)(thread, NULL));                                                    \
            printf(#name " " #operation " %lx\n", (unsigned long)(object));                        \
        }                                                                                          \
    }

/* Others wait no more when they are left alone: none of these calls may leave a record. */
static void uncontended(void)
{
    for (int i = 0; i < 10; i++) {
        OK(DO(pthread_mutex_lock)(&mutexes[0]) || DO(pthread_mutex_unlock)(&mutexes[0]));
        OK(DO(pthread_mutex_trylock)(&mutexes[0]) || DO(pthread_mutex_unlock)(&mutexes[0]));
        OK(DO(pthread_rwlock_rdlock)(&rwlocks[0]) || DO(pthread_rwlock_unlock)(&rwlocks[0]));
        OK(DO(pthread_rwlock_wrlock)(&rwlocks[0]) || DO(pthread_rwlock_unlock)(&rwlocks[0]));
        OK(DO(sem_post)(&sems[0]) || DO(sem_wait)(&sems[0]));
        OK(DO(pthread_cond_signal)(&conds[0]) || DO(pthread_cond_broadcast)(&conds[0]));
        OK(DO(pthread_spin_lock)(&spin) || DO(pthread_spin_unlock)(&spin));
        OK(DO(mtx_lock)(&mtxs[0]) || DO(mtx_unlock)(&mtxs[0]));
        OK(DO(cnd_signal)(&cnds[0]) || DO(cnd_broadcast)(&cnds[0]));
        OK(futex(0, FUTEX_WAKE, 1, NULL));
        CHECK(futex(0, FUTEX_WAIT, 7, NULL) == -1 && errno == EAGAIN);
        CHECK(DO(syscall)(SYS_getpid) == getpid());
    }
}

int main(void)
{
    prepare();
    uncontended();
    sets[0] = set_object(0);
    sets[1] = set_object(1);
    CASES(RUN)
    if (set_id >= 0)
        semctl(set_id, 0, IPC_RMID);
    return 0;
}
