#include "runtime/wait.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/maps.h"

#define NUMBER(pointer) ((unsigned long)(uintptr_t)(pointer))
#define WAIT(op, on) ((struct wait){.site = site, .operation = (op), .object = NUMBER(on)})

void wait_record_block(const struct wait *w, uint64_t end)
{
    struct trace_block *r = log_reserve(sizeof *r);
    if (r) {
        r->end_ticks = end;
        r->object = w->object;
        r->site = w->site;
        r->operation = w->operation;
        log_commit(&r->head, w->start, TRACE_BLOCK);
    }
    if (w->operation != TRACE_OP_JOIN)
        maps_need(w->object);
}

void wait_record_release(unsigned site, unsigned long object, unsigned operation, unsigned mode)
{
    struct trace_release *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->object = object;
    r->site = site;
    r->operation = operation;
    r->mode = mode;
    r->spare = 0;
    log_commit(&r->head, clock_now(), TRACE_RELEASE);
    if (operation != TRACE_OP_JOIN)
        maps_need(object);
}

void wait_begin(struct wait *w)
{
    waiters_add(w->object);
    w->start = clock_now();
}

void wait_end(struct wait *w)
{
    uint64_t end = clock_now();
    waiters_remove(w->object);
    wait_record_block(w, end);
}

void wait_cancelled(void *w)
{
    wait_end(w);
}

int wait_end_if_waited(struct wait *w, int result)
{
    if (result == 0 || result == EOWNERDEAD || result == ETIMEDOUT || result == EINTR)
        wait_end(w);
    else
        waiters_remove(w->object);
    return result;
}

static __attribute__((noinline)) int mutex_lock_busy(unsigned site, pthread_mutex_t *mutex)
{
    struct wait w = WAIT(TRACE_OP_MUTEX, mutex);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_mutex_lock(mutex));
}

int wait_mutex_lock(unsigned site, void *mutex)
{
    int rc = pthread_mutex_trylock(mutex);
    return __builtin_expect(rc == EBUSY, 0) ? mutex_lock_busy(site, mutex) : rc;
}

int wait_mutex_timedlock(unsigned site, void *mutex, const void *abstime)
{
    int rc = pthread_mutex_trylock(mutex);
    if (rc != EBUSY)
        return rc;
    struct wait w = WAIT(TRACE_OP_MUTEX, mutex);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_mutex_timedlock(mutex, abstime));
}

int wait_mutex_unlock(unsigned site, void *mutex)
{
    wait_release(site, NUMBER(mutex), TRACE_OP_MUTEX, TRACE_RELEASE_ONE);
    return pthread_mutex_unlock(mutex);
}

/* A condition wait also gives the mutex away and takes it again: it counts as a waiter of both. */
struct cond_wait {
    struct wait cond;
    unsigned long mutex;
};

static void cond_begin(struct cond_wait *w)
{
    /* Written though nobody may wait for it: it tells the reader which mutex the wait takes again. */
    wait_record_release(w->cond.site, w->mutex, TRACE_OP_MUTEX, TRACE_RELEASE_ONE);
    waiters_add(w->mutex);
    wait_begin(&w->cond);
}

static int cond_end(struct cond_wait *w, int result)
{
    waiters_remove(w->mutex);
    return wait_end_if_waited(&w->cond, result);
}

static void cond_cancelled(void *w)
{
    cond_end(w, 0);
}

int wait_cond_wait(unsigned site, void *cond, void *mutex)
{
    struct cond_wait w = {WAIT(TRACE_OP_COND, cond), NUMBER(mutex)};
    int rc;
    cond_begin(&w);
    pthread_cleanup_push(cond_cancelled, &w);
    rc = pthread_cond_wait(cond, mutex);
    pthread_cleanup_pop(0);
    return cond_end(&w, rc);
}

int wait_cond_timedwait(unsigned site, void *cond, void *mutex, const void *abstime)
{
    struct cond_wait w = {WAIT(TRACE_OP_COND, cond), NUMBER(mutex)};
    int rc;
    cond_begin(&w);
    pthread_cleanup_push(cond_cancelled, &w);
    rc = pthread_cond_timedwait(cond, mutex, abstime);
    pthread_cleanup_pop(0);
    return cond_end(&w, rc);
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
    int rc = pthread_rwlock_tryrdlock(rwlock);
    if (rc != EBUSY)
        return rc;
    struct wait w = WAIT(TRACE_OP_RWLOCK_READ, rwlock);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_rwlock_rdlock(rwlock));
}

int wait_rwlock_wrlock(unsigned site, void *rwlock)
{
    int rc = pthread_rwlock_trywrlock(rwlock);
    if (rc != EBUSY)
        return rc;
    struct wait w = WAIT(TRACE_OP_RWLOCK_WRITE, rwlock);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_rwlock_wrlock(rwlock));
}

int wait_rwlock_timedrdlock(unsigned site, void *rwlock, const void *abstime)
{
    int rc = pthread_rwlock_tryrdlock(rwlock);
    if (rc != EBUSY)
        return rc;
    struct wait w = WAIT(TRACE_OP_RWLOCK_READ, rwlock);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_rwlock_timedrdlock(rwlock, abstime));
}

int wait_rwlock_timedwrlock(unsigned site, void *rwlock, const void *abstime)
{
    int rc = pthread_rwlock_trywrlock(rwlock);
    if (rc != EBUSY)
        return rc;
    struct wait w = WAIT(TRACE_OP_RWLOCK_WRITE, rwlock);
    wait_begin(&w);
    return wait_end_if_waited(&w, pthread_rwlock_timedwrlock(rwlock, abstime));
}

/* Whether it was held for reading or writing is not known here; readers go by the object. */
int wait_rwlock_unlock(unsigned site, void *rwlock)
{
    wait_release(site, NUMBER(rwlock), TRACE_OP_RWLOCK_WRITE, TRACE_RELEASE_ONE);
    return pthread_rwlock_unlock(rwlock);
}

/* sem_wait ends a cancelled thread even where it would not block; sem_trywait does not. */
static bool sem_take(sem_t *sem)
{
    int error = errno;
    pthread_testcancel();
    if (sem_trywait(sem) == 0)
        return true;
    errno = error;
    return false;
}

int wait_sem_wait(unsigned site, void *sem)
{
    struct wait w = WAIT(TRACE_OP_SEMAPHORE, sem);
    int rc;
    if (sem_take(sem))
        return 0;
    wait_begin(&w);
    pthread_cleanup_push(wait_cancelled, &w);
    rc = sem_wait(sem);
    pthread_cleanup_pop(0);
    wait_end_if_waited(&w, rc == 0 ? 0 : errno);
    return rc;
}

int wait_sem_timedwait(unsigned site, void *sem, const void *abstime)
{
    struct wait w = WAIT(TRACE_OP_SEMAPHORE, sem);
    int rc;
    if (sem_take(sem))
        return 0;
    wait_begin(&w);
    pthread_cleanup_push(wait_cancelled, &w);
    rc = sem_timedwait(sem, abstime);
    pthread_cleanup_pop(0);
    wait_end_if_waited(&w, rc == 0 ? 0 : errno);
    return rc;
}

int wait_sem_post(unsigned site, void *sem)
{
    wait_release(site, NUMBER(sem), TRACE_OP_SEMAPHORE, TRACE_RELEASE_ONE);
    return sem_post(sem);
}

/* Each arrival is recorded, because who comes last is known only afterwards. In glibc the last one
 * is the serial thread: it waited for nobody. */
int wait_barrier_wait(unsigned site, void *barrier)
{
    struct wait w = WAIT(TRACE_OP_BARRIER, barrier);
    wait_record_release(site, w.object, TRACE_OP_BARRIER, TRACE_RELEASE_BROADCAST);
    wait_begin(&w);
    int rc = pthread_barrier_wait(barrier);
    if (rc == 0)
        wait_end(&w);
    else
        waiters_remove(w.object);
    return rc;
}
