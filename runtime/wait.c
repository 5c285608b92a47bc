#include "runtime/wait.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "runtime/callers.h"
#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/objects.h"
#include "runtime/recording.h"
#include "runtime/sites.h"
#include "runtime/system.h"

#define NUMBER(pointer) ((unsigned long)(uintptr_t)(pointer))
#define WAIT(op, on) ((struct wait){.site = site, .operation = (op), .object = NUMBER(on)})

/* A thread that is waited for is no object in memory. */
static uint64_t object_number(unsigned operation, unsigned long object)
{
    return operation == TRACE_OP_JOIN ? object : objects_number(object);
}

void wait_record_block(const struct wait *w, uint64_t end)
{
    if (sites_resting() || delay_forgets() || !recording_is_on())
        return;
    uint64_t object = object_number(w->operation, w->object);
    struct trace_block *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->end_ticks = end;
    r->object = object;
    r->site = w->site;
    r->operation = (uint8_t)w->operation;
    r->ending = (uint8_t)w->ending;
    r->amount = (uint16_t)w->amount;
    log_commit(&r->head, w->start, TRACE_BLOCK);
}

void wait_record_taking(struct wait w)
{
    w.start = clock_now();
    w.ending = TRACE_ENDING_NO_WAIT;
    wait_record_block(&w, w.start);
}

void wait_record_taken(unsigned site, unsigned long object, unsigned operation)
{
    wait_record_taking((struct wait){.site = site, .operation = operation, .object = object});
}

static bool is_awaited(unsigned operation, unsigned long object)
{
    bool channel = operation == TRACE_OP_CHANNEL || operation == TRACE_OP_CHANNEL_ROOM;
    return channel ? waiters_any_of_channel(object) : waiters_any(object);
}

void wait_record_release_at(uint64_t time, unsigned site, unsigned long object, unsigned operation,
                            unsigned mode, unsigned amount)
{
    if (sites_resting() || delay_forgets() || !recording_is_on())
        return;
    uint64_t number = object_number(operation, object);
    /* Releases that are written though nobody waits are not looked into. Those who waited for one
     * that is told afterwards may be gone. Of experiments nobody asks from where a release came, and
     * a lock that is held for so much longer is waited for more often. */
    bool asked = !delay_is_on() && (time || is_awaited(operation, object));
    unsigned callers = asked ? callers_number() : 0;
    struct trace_release *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->object = number;
    r->site = site;
    r->operation = operation;
    r->mode = (uint16_t)mode;
    r->callers = (uint16_t)callers;
    r->amount = amount;
    log_commit(&r->head, time ? time : clock_now(), TRACE_RELEASE);
}

void wait_record_release(unsigned site, unsigned long object, unsigned operation, unsigned mode,
                         unsigned amount)
{
    wait_record_release_at(0, site, object, operation, mode, amount);
}

void wait_begin(struct wait *w)
{
    delay_before_wait();
    waiters_add(w->object);
    w->start = clock_now();
}

/* What it takes to catch up with who released it is no part of the wait. */
static void catch_up(const struct wait *w)
{
    if (w->ending == TRACE_ENDING_GAVE_UP)
        delay_after_device(w->start, TRACE_WAIT_TIMER);
    else {
        delay_after_wait(w->start, w->object, DELAY_BY_THREAD);
        if (w->operation != TRACE_OP_COND)
            delay_after_taking(w->site, w->object);
    }
}

void wait_end(struct wait *w)
{
    uint64_t end = clock_now();
    sites_check();
    waiters_remove(w->object);
    wait_record_block(w, end);
    catch_up(w);
}

bool wait_was_long(const struct wait *w, uint64_t end)
{
    uint64_t threshold = __atomic_load_n(&clock_threshold_ticks, __ATOMIC_RELAXED);
    return (int64_t)(end - w->start) > (int64_t)threshold;
}

/* It had not to wait, or was refused. */
static void end_at_once(const struct wait *w)
{
    waiters_remove(w->object);
    delay_after_no_wait();
}

/* The result tells whether there was a wait, which has its record then. */
static inline bool wait_end_if_long(const struct wait *w)
{
    uint64_t end = clock_now();
    sites_check();
    waiters_remove(w->object);
    if (!wait_was_long(w, end)) {
        delay_after_no_wait();
        return false;
    }
    wait_record_block(w, end);
    catch_up(w);
    return true;
}

void wait_end_taking(const struct wait *w)
{
    if (!wait_end_if_long(w))
        wait_taken(w->site, w->object, w->operation);
}

void wait_cancelled(void *wait)
{
    struct wait *w = wait;
    w->ending = TRACE_ENDING_GAVE_UP;
    wait_end(w);
}

static bool may_have_waited(int result)
{
    return result == 0 || result == EOWNERDEAD || result == ENOTRECOVERABLE ||
           result == ETIMEDOUT || result == EINTR;
}

static void set_ending(struct wait *w, int result)
{
    if (result == ETIMEDOUT || result == EINTR)
        w->ending = TRACE_ENDING_GAVE_UP;
}

int wait_end_if_waited(struct wait *w, int result)
{
    set_ending(w, result);
    if (may_have_waited(result))
        wait_end(w);
    else
        end_at_once(w);
    return result;
}

static __attribute__((noinline, cold)) int taken_awaited(unsigned site, const volatile void *object,
                                                         unsigned operation, int result)
{
    if (result == 0 || result == EOWNERDEAD)
        wait_record_taken(site, NUMBER(object), operation);
    return result;
}

static inline int taken_if(unsigned site, const volatile void *object, unsigned operation,
                           int result)
{
    if (result == 0)
        delay_after_taking(site, NUMBER(object));
    if (__builtin_expect(waiters_any(NUMBER(object)), 0))
        return taken_awaited(site, object, operation, result);
    return result;
}

/* `try` is what the lock answers where it need not wait; "busy" asks the lock itself. */
#define LOCK(operation, object, try, lock)                                                         \
    delay_before_taking();                                                                         \
    int rc = (try);                                                                                \
    if (__builtin_expect(rc != EBUSY, 1))                                                          \
        return taken_if(site, object, operation, rc);                                              \
    struct wait w = WAIT(operation, object);                                                       \
    wait_begin(&w);                                                                                \
    return wait_end_if_waited(&w, (lock))

/* Waits that are cancellation points stand in this. */
#define CANCELLABLE(w, rc, call)                                                                   \
    do {                                                                                           \
        pthread_cleanup_push(wait_cancelled, w);                                                   \
        rc = (call);                                                                               \
        pthread_cleanup_pop(0);                                                                    \
    } while (0)

/* glibc looks at some times and clocks before it tries: then a bad one is refused though nobody has
 * to wait. */
static bool is_time(const struct timespec *t)
{
    return t && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static bool is_clock(int clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* glibc's trylock of a robust mutex that can't be recovered says so once, but keeps it locked: who
 * locks it then waits for ever. Without a try, the time tells whether there was a wait. */
static bool is_robust(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
    enum { ROBUST = 16 };
    return __atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED) & ROBUST;
#else
    return !mutex;
#endif
}

/* A process of one thread waits for nobody but other processes; glibc then locks without atomic
 * operations, which its trylock does not. */
static bool nobody_else(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
    enum { SHARED = 128 };
    return system_is_single_threaded() &&
           !(__atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED) & SHARED);
#else
    return !mutex;
#endif
}

#define MUTEX_LOCK(valid, lock)                                                                    \
    if (is_robust(mutex)) {                                                                        \
        struct wait timed = WAIT(TRACE_OP_MUTEX, mutex);                                           \
        wait_begin(&timed);                                                                        \
        int result = (lock);                                                                       \
        set_ending(&timed, result);                                                                \
        if (result == 0 || result == EOWNERDEAD)                                                   \
            wait_end_taking(&timed);                                                               \
        else if (may_have_waited(result))                                                          \
            wait_end_if_long(&timed);                                                              \
        else                                                                                       \
            end_at_once(&timed);                                                                   \
        return result;                                                                             \
    }                                                                                              \
    LOCK(TRACE_OP_MUTEX, mutex, (valid) ? pthread_mutex_trylock(mutex) : EBUSY, lock)

static __attribute__((noinline, cold)) int mutex_lock_slowly(unsigned site, pthread_mutex_t *mutex)
{
    MUTEX_LOCK(true, pthread_mutex_lock(mutex));
}

/* Nothing is done but the real call where nobody can be waited for. A mutex that another processor
 * had last is fetched to be changed at once: not first for a look at its kind, then again. */
int wait_mutex_lock(unsigned site, void *mutex)
{
    __builtin_prefetch(mutex, 1);
    delay_before_taking();
    if (nobody_else(mutex))
        return pthread_mutex_lock(mutex);
    int rc = is_robust(mutex) ? EBUSY : pthread_mutex_trylock(mutex);
    if (__builtin_expect(rc == EBUSY, 0))
        return mutex_lock_slowly(site, mutex);
    return taken_if(site, mutex, TRACE_OP_MUTEX, rc);
}

int wait_mutex_trylock(unsigned site, void *mutex)
{
    delay_before_taking();
    return taken_if(site, mutex, TRACE_OP_MUTEX, pthread_mutex_trylock(mutex));
}

int wait_mutex_timedlock(unsigned site, void *mutex, const void *abstime)
{
    MUTEX_LOCK(true, pthread_mutex_timedlock(mutex, abstime));
}

int wait_mutex_clocklock(unsigned site, void *mutex, int clock, const void *abstime)
{
    MUTEX_LOCK(is_clock(clock), pthread_mutex_clocklock(mutex, clock, abstime));
}

int wait_mutex_unlock(unsigned site, void *mutex)
{
    wait_release(site, NUMBER(mutex), TRACE_OP_MUTEX, TRACE_RELEASE_ONE);
    return pthread_mutex_unlock(mutex);
}

/* The thread's latest condition wait left it with this; mutex 0: it has given that back. */
static __thread struct {
    unsigned long cond, mutex;
} woken __attribute__((tls_model("initial-exec")));

static void woken_forget(void)
{
    if (woken.mutex)
        waiters_remove(woken.mutex);
    woken.mutex = 0;
}

void wait_forked(void)
{
    woken.mutex = 0;
}

void wait_release_awaited(unsigned site, unsigned long object, unsigned operation, unsigned mode)
{
    if (object == woken.mutex && operation == TRACE_OP_MUTEX)
        woken_forget();
    if (waiters_any(object))
        wait_record_release(site, object, operation, mode, 1);
}

void wait_cond_begin(struct wait_cond *w, unsigned site, void *cond, void *mutex)
{
    *w = (struct wait_cond){WAIT(TRACE_OP_COND, cond), NUMBER(mutex), false};
    bool again = woken.mutex == w->mutex && woken.cond == w->cond.object;
    if (woken.mutex == w->mutex)
        woken_forget();
    w->held = delay_is_on() && delay_holds(w->mutex);
    delay_before_release(w->mutex);
    /* The release is written though nobody may wait for it: it tells the reader which mutex the
     * wait takes again. */
    wait_record_release(site, w->mutex, TRACE_OP_MUTEX,
                        again ? TRACE_RELEASE_AGAIN : TRACE_RELEASE_ONE, 1);
    waiters_add(w->mutex);
    wait_begin(&w->cond);
}

int wait_cond_end(struct wait_cond *w, int result)
{
    woken_forget();
    woken.cond = w->cond.object;
    woken.mutex = w->mutex;
    if (!may_have_waited(result))
        woken_forget();
    wait_end_if_waited(&w->cond, result);
    if (delay_is_on()) {
        delay_taken(w->mutex);
        if (w->held)
            delay_locked(w->mutex);
    }
    return result;
}

void wait_cond_cancelled(void *w)
{
    wait_cond_end(w, EINTR);
}

#define COND_WAIT(call)                                                                            \
    struct wait_cond w;                                                                            \
    int rc;                                                                                        \
    wait_cond_begin(&w, site, cond, mutex);                                                        \
    pthread_cleanup_push(wait_cond_cancelled, &w);                                                 \
    rc = (call);                                                                                   \
    pthread_cleanup_pop(0);                                                                        \
    return wait_cond_end(&w, rc)

int wait_cond_wait(unsigned site, void *cond, void *mutex)
{
    COND_WAIT(pthread_cond_wait(cond, mutex));
}

int wait_cond_timedwait(unsigned site, void *cond, void *mutex, const void *abstime)
{
    COND_WAIT(pthread_cond_timedwait(cond, mutex, abstime));
}

int wait_cond_clockwait(unsigned site, void *cond, void *mutex, int clock, const void *abstime)
{
    COND_WAIT(pthread_cond_clockwait(cond, mutex, clock, abstime));
}

int wait_cond_signal(unsigned site, void *cond)
{
    wait_release(site, NUMBER(cond), TRACE_OP_COND, TRACE_RELEASE_ONE);
    return pthread_cond_signal(cond);
}

int wait_cond_broadcast(unsigned site, void *cond)
{
    wait_release(site, NUMBER(cond), TRACE_OP_COND, TRACE_RELEASE_BROADCAST);
    return pthread_cond_broadcast(cond);
}

int wait_rwlock_rdlock(unsigned site, void *rwlock)
{
    LOCK(TRACE_OP_RWLOCK_READ, rwlock, pthread_rwlock_tryrdlock(rwlock),
         pthread_rwlock_rdlock(rwlock));
}

int wait_rwlock_wrlock(unsigned site, void *rwlock)
{
    LOCK(TRACE_OP_RWLOCK_WRITE, rwlock, pthread_rwlock_trywrlock(rwlock),
         pthread_rwlock_wrlock(rwlock));
}

int wait_rwlock_tryrdlock(unsigned site, void *rwlock)
{
    delay_before_taking();
    return taken_if(site, rwlock, TRACE_OP_RWLOCK_READ, pthread_rwlock_tryrdlock(rwlock));
}

int wait_rwlock_trywrlock(unsigned site, void *rwlock)
{
    delay_before_taking();
    return taken_if(site, rwlock, TRACE_OP_RWLOCK_WRITE, pthread_rwlock_trywrlock(rwlock));
}

int wait_rwlock_timedrdlock(unsigned site, void *rwlock, const void *abstime)
{
    LOCK(TRACE_OP_RWLOCK_READ, rwlock, is_time(abstime) ? pthread_rwlock_tryrdlock(rwlock) : EBUSY,
         pthread_rwlock_timedrdlock(rwlock, abstime));
}

int wait_rwlock_timedwrlock(unsigned site, void *rwlock, const void *abstime)
{
    LOCK(TRACE_OP_RWLOCK_WRITE, rwlock, is_time(abstime) ? pthread_rwlock_trywrlock(rwlock) : EBUSY,
         pthread_rwlock_timedwrlock(rwlock, abstime));
}

int wait_rwlock_clockrdlock(unsigned site, void *rwlock, int clock, const void *abstime)
{
    bool valid = is_clock(clock) && is_time(abstime);
    LOCK(TRACE_OP_RWLOCK_READ, rwlock, valid ? pthread_rwlock_tryrdlock(rwlock) : EBUSY,
         pthread_rwlock_clockrdlock(rwlock, clock, abstime));
}

int wait_rwlock_clockwrlock(unsigned site, void *rwlock, int clock, const void *abstime)
{
    bool valid = is_clock(clock) && is_time(abstime);
    LOCK(TRACE_OP_RWLOCK_WRITE, rwlock, valid ? pthread_rwlock_trywrlock(rwlock) : EBUSY,
         pthread_rwlock_clockwrlock(rwlock, clock, abstime));
}

/* Nobody but the writer can unlock while one writes. Other libcs than glibc don't tell. */
static unsigned held_for(const pthread_rwlock_t *rwlock)
{
#ifdef __GLIBC__
    return rwlock->__data.__cur_writer ? TRACE_OP_RWLOCK_WRITE : TRACE_OP_RWLOCK_READ;
#else
    (void)rwlock;
    return TRACE_OP_RWLOCK_WRITE;
#endif
}

int wait_rwlock_unlock(unsigned site, void *rwlock)
{
    delay_before_release(NUMBER(rwlock));
    if (__builtin_expect(waiters_any(NUMBER(rwlock)), 0))
        wait_record_release(site, NUMBER(rwlock), held_for(rwlock), TRACE_RELEASE_ONE, 1);
    return pthread_rwlock_unlock(rwlock);
}

static bool sem_take(sem_t *sem)
{
    int error = errno;
    if (sem_trywait(sem) == 0)
        return true;
    errno = error;
    return false;
}

/* sem_wait and sem_timedwait end a cancelled thread even where they would not block. sem_clockwait,
 * in glibc, does not. */
static bool sem_take_unless_cancelled(sem_t *sem)
{
    pthread_testcancel();
    return sem_take(sem);
}

#define SEM_WAIT(taken, call)                                                                      \
    struct wait w = WAIT(TRACE_OP_SEMAPHORE, sem);                                                 \
    int rc;                                                                                        \
    if (taken) {                                                                                   \
        wait_taken(site, w.object, TRACE_OP_SEMAPHORE);                                            \
        return 0;                                                                                  \
    }                                                                                              \
    wait_begin(&w);                                                                                \
    CANCELLABLE(&w, rc, call);                                                                     \
    wait_end_if_waited(&w, rc == 0 ? 0 : errno);                                                   \
    return rc

int wait_sem_wait(unsigned site, void *sem)
{
    SEM_WAIT(sem_take_unless_cancelled(sem), sem_wait(sem));
}

int wait_sem_timedwait(unsigned site, void *sem, const void *abstime)
{
    SEM_WAIT(is_time(abstime) && sem_take_unless_cancelled(sem), sem_timedwait(sem, abstime));
}

int wait_sem_clockwait(unsigned site, void *sem, int clock, const void *abstime)
{
    SEM_WAIT(is_clock(clock) && is_time(abstime) && sem_take(sem),
             sem_clockwait(sem, clock, abstime));
}

int wait_sem_trywait(unsigned site, void *sem)
{
    delay_before_taking();
    int rc = sem_trywait(sem);
    if (rc == 0)
        wait_taken(site, NUMBER(sem), TRACE_OP_SEMAPHORE);
    return rc;
}

int wait_sem_post(unsigned site, void *sem)
{
    wait_release(site, NUMBER(sem), TRACE_OP_SEMAPHORE, TRACE_RELEASE_ONE);
    return sem_post(sem);
}

/* A team has ended its region: whoever is done last lets the thread go on that began it. */
void wait_team_waited(struct vprof_frame_1 *frame)
{
    if (!frame->start)
        return;
    struct wait w = {0, TRACE_OP_TEAM, frame->object, frame->start, TRACE_ENDING_TOOK, 1};
    wait_end_if_long(&w);
}

void wait_team_done(unsigned long team)
{
    wait_release(0, team, TRACE_OP_TEAM, TRACE_RELEASE_ONE);
}

/* Each arrival is recorded, because who comes last is known only afterwards. In glibc the last one
 * is the serial thread: it waited for nobody. */
int wait_barrier_wait(unsigned site, void *barrier)
{
    struct wait w = WAIT(TRACE_OP_BARRIER, barrier);
    delay_before_release(w.object);
    wait_record_release(site, w.object, TRACE_OP_BARRIER, TRACE_RELEASE_BROADCAST, 1);
    wait_begin(&w);
    int rc = pthread_barrier_wait(barrier);
    if (rc == 0)
        wait_end(&w);
    else
        end_at_once(&w);
    return rc;
}

int wait_spin_lock(unsigned site, volatile void *spin)
{
    pthread_spinlock_t *lock = spin;
    LOCK(TRACE_OP_MUTEX, spin, pthread_spin_trylock(lock), pthread_spin_lock(lock));
}

int wait_spin_trylock(unsigned site, volatile void *spin)
{
    delay_before_taking();
    return taken_if(site, spin, TRACE_OP_MUTEX, pthread_spin_trylock((pthread_spinlock_t *)spin));
}

int wait_spin_unlock(unsigned site, volatile void *spin)
{
    wait_release(site, NUMBER(spin), TRACE_OP_MUTEX, TRACE_RELEASE_ONE);
    return pthread_spin_unlock((pthread_spinlock_t *)spin);
}
