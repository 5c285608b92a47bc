/* wait.h - calls that may block, and calls that let others go on.
 *
 * Nothing is recorded where nobody waits: an acquire is first tried, a release first looks whether
 * its object has waiters. Only a thread that must wait costs a record, and only then do releases.
 *
 *     wait_begin(&w);  the real call;  wait_end(&w);        a BLOCK from the one to the other
 *
 * Results and errno are those of the real calls. A try that succeeds is a lock that did not block;
 * any answer of a try but "busy" is the lock's own answer too; "busy" asks the real lock, which may
 * answer EDEADLK instead. Robust mutexes are not tried (see wait.c). Waits that are cancellation
 * points remain so, and remove their traces.
 */
#ifndef RUNTIME_WAIT_H
#define RUNTIME_WAIT_H

#include "runtime/delay.h"
#include "runtime/waiters.h"
#include "trace/trace_format.h"

struct wait {
    unsigned site;
    unsigned operation; /* enum trace_operation */
    unsigned long object;
    uint64_t start;
    unsigned ending; /* enum trace_ending */
    unsigned amount; /* as in struct trace_block */
};

void wait_begin(struct wait *w);
void wait_end(struct wait *w);
/* A wait ends only where the real call's result, an errno number, says that there was one: a call
 * refused with EDEADLK or EINVAL did not wait. The result is returned. */
int wait_end_if_waited(struct wait *w, int result);
bool wait_was_long(const struct wait *w, uint64_t end);
void wait_cancelled(void *w); /* the same, for pthread_cleanup_push */

/* A wait from w->start to `end` is recorded; that it counts among the waiters is not changed. */
void wait_record_block(const struct wait *w, uint64_t end);
void wait_record_release(unsigned site, unsigned long object, unsigned operation, unsigned mode,
                         unsigned amount);
/* A release that was made at `time` (0: now) is recorded as by wait_record_release(). */
void wait_record_release_at(uint64_t time, unsigned site, unsigned long object, unsigned operation,
                            unsigned mode, unsigned amount);
/* Something was taken without a wait that others wait for. */
void wait_record_taking(struct wait w);
/* A wait ends for what is held afterwards, where only the time tells whether it was one. */
void wait_end_taking(const struct wait *w);
void wait_record_taken(unsigned site, unsigned long object, unsigned operation);

/* A taking that did not wait calls this afterwards. Who begins to wait later finds the object
 * taken: where nobody waits, nobody has to know when that was. */
static inline void wait_taken(unsigned site, unsigned long object, unsigned operation)
{
    delay_after_taking(site, object);
    if (__builtin_expect(waiters_any(object), 0))
        wait_record_taken(site, object, operation);
}

/* A release goes on here where somebody seems to wait for the object. */
void wait_release_awaited(unsigned site, unsigned long object, unsigned operation, unsigned mode);

/* A release calls this before the real one. */
static inline void wait_release(unsigned site, unsigned long object, unsigned operation,
                                unsigned mode)
{
    delay_before_release(object);
    if (__builtin_expect(waiters_any(object), 0))
        wait_release_awaited(site, object, operation, mode);
}

/* A condition wait also gives the mutex away and takes it again: it counts as a waiter of both, of
 * the mutex until the thread gives it back. So that release, and no other, takes the slow way, and
 * where it has not been made the next wait for the condition goes on with this one. */
struct wait_cond {
    struct wait cond;
    unsigned long mutex;
    bool held; /* it was the target of an experiment */
};

void wait_forked(void); /* in the child: the waits are its parent's */
void wait_cond_begin(struct wait_cond *w, unsigned site, void *cond, void *mutex);
int wait_cond_end(struct wait_cond *w, int result); /* an errno number, as above */
void wait_cond_cancelled(void *w);

int wait_mutex_lock(unsigned site, void *mutex);
int wait_mutex_timedlock(unsigned site, void *mutex, const void *abstime);
int wait_mutex_clocklock(unsigned site, void *mutex, int clock, const void *abstime);
int wait_mutex_trylock(unsigned site, void *mutex);
int wait_mutex_unlock(unsigned site, void *mutex);
int wait_cond_wait(unsigned site, void *cond, void *mutex);
int wait_cond_timedwait(unsigned site, void *cond, void *mutex, const void *abstime);
int wait_cond_clockwait(unsigned site, void *cond, void *mutex, int clock, const void *abstime);
int wait_cond_signal(unsigned site, void *cond);
int wait_cond_broadcast(unsigned site, void *cond);
int wait_rwlock_rdlock(unsigned site, void *rwlock);
int wait_rwlock_wrlock(unsigned site, void *rwlock);
int wait_rwlock_timedrdlock(unsigned site, void *rwlock, const void *abstime);
int wait_rwlock_timedwrlock(unsigned site, void *rwlock, const void *abstime);
int wait_rwlock_clockrdlock(unsigned site, void *rwlock, int clock, const void *abstime);
int wait_rwlock_clockwrlock(unsigned site, void *rwlock, int clock, const void *abstime);
int wait_rwlock_tryrdlock(unsigned site, void *rwlock);
int wait_rwlock_trywrlock(unsigned site, void *rwlock);
int wait_rwlock_unlock(unsigned site, void *rwlock);
int wait_sem_wait(unsigned site, void *sem);
int wait_sem_timedwait(unsigned site, void *sem, const void *abstime);
int wait_sem_clockwait(unsigned site, void *sem, int clock, const void *abstime);
int wait_sem_trywait(unsigned site, void *sem);
int wait_sem_post(unsigned site, void *sem);
int wait_barrier_wait(unsigned site, void *barrier);
int wait_spin_lock(unsigned site, volatile void *spin);
int wait_spin_trylock(unsigned site, volatile void *spin);
int wait_spin_unlock(unsigned site, volatile void *spin);

struct vprof_frame_1;
void wait_team_waited(struct vprof_frame_1 *frame);
void wait_team_done(unsigned long team);

#endif
