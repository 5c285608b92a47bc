/* delay.h - the thread's virtual time, in a run that is experimented with.
 *
 *     delay_enter(at);  ...a call of the target...;  delay_leave();     all others are to wait for a part of it
 *     delay_before_release(mutex);  pthread_mutex_unlock(mutex);        what the thread owes it waits here
 *     delay_before_wait();  pthread_mutex_lock(mutex);
 *     delay_after_wait(start, mutex, DELAY_BY_THREAD);
 *
 *                      <------ target ------>
 *     thread 1   ------======================------|release      it runs, and grants a part of this
 *     thread 2   ---------------------------......------         it waits so long: once, where others would see it
 *     thread 3   ---|blocked on thread 1            |------      let go by one who has waited: it need not
 *
 * A thread's delay is what it has waited or need not wait any more, of all that was granted since the run began;
 * its virtual time is its time less that delay. Within an experiment that time never goes back, whether the thread
 * waits, is let off or owes; and who is let go on by another thread is never earlier than that one: of a thread
 * that began to wait at virtual time b and was released at r the virtual time is max(b, r), and what passed since
 * then. So it is with a processor that a thread was ready for while another one had it.
 *
 * A debt is waited for before anybody else can see what the thread has done: before releases of any kind; and at
 * the ends of waits and of the target's calls, at annotations and steps (step.h). Small ones are put off, and what
 * a sleep took too long counts for the next one. None outlives its experiment. Coz's rule is another one: there,
 * who was woken is let off what was granted while it was blocked, and keeps what it owed before.
 *
 * Everything is per thread, but for sums that all processes of the run share (trace/delay_format.h). Where there
 * are no experiments `delay_shared` is NULL, and all of this one look. No locks; errno is kept; signal-safe: a
 * handler that comes in between is passed over.
 */
#ifndef RUNTIME_DELAY_H
#define RUNTIME_DELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/clock.h"
#include "runtime/sites.h"
#include "trace/delay_format.h"

extern struct trace_delays *delay_shared;

/* The thread's own sum, and the experiment that it has come to. All else that is known of it is delay.c's. */
struct delay_own {
    uint64_t delay_ns;
    uint32_t epoch;
    uint32_t inside; /* calls of the target, one within the other */
};
extern __thread struct delay_own delay_own __attribute__((tls_model("initial-exec")));

/* A process calls this when it begins to record, or without: there are experiments where the run's folder holds their
 * file. Only one that records has calls that last; it has steps, and where targets are code all have. */
void delay_start(bool records);
/* The child of a fork calls this. */
void delay_forked(void);

/* A call of the target is entered; its frame lies at `at`. It is left. */
void delay_enter(uintptr_t at);
void delay_leave(void);
/* The same where nothing but the sums is to change, as vector registers are to be left alone. False: it is not done. */
bool delay_enter_simply(uintptr_t at);
bool delay_leave_simply(void);

/* Who ended a wait? The latest release of its object did; or whoever is at the other end of a socket, whose own time is not
 * known: a process of this run, or the world outside, which is a device. */
enum delay_waker { DELAY_BY_THREAD, DELAY_BY_SOCKET };

void delay_release(uintptr_t object);
/* The thread has taken what it did not wait for, and is no earlier than whoever released it last. */
void delay_taken(uintptr_t object);
void delay_block(void);
void delay_went_on(void); /* it did not have to wait */
void delay_woken(uint64_t start_ticks, uintptr_t object, enum delay_waker waker);
/* The thread has waited since then for what no thread ended (enum trace_wait_class): nothing is let off. */
void delay_device(uint64_t start_ticks, unsigned class);
/* A lock is taken that is the target; its release ends that. Does the thread hold it? */
void delay_locked(uintptr_t object);
bool delay_holds(uintptr_t object);
/* An annotation, enum vprof_mark_1, is recorded with the thread's delay, which does not change in between. */
struct delay_stamp {
    uint64_t delay_ns;
    bool held;
};
struct delay_stamp delay_stamp(unsigned what, unsigned long id);
void delay_stamped(struct delay_stamp stamp);
/* What is owed is waited for, as there is nothing else to do now. */
void delay_pay(void);

static inline bool delay_is_on(void)
{
    return __builtin_expect(delay_shared != NULL, 0);
}

/* Nobody reads the records of waits that begin and end in this experiment: only a run without a delay is worked out again. */
static inline bool delay_forgets(void)
{
    return delay_is_on() && !delay_shared->noted &&
           __atomic_load_n(&delay_shared->epoch, __ATOMIC_RELAXED) == delay_own.epoch;
}

/* A debt is to be waited for, or an experiment has begun: most calls find neither. */
static inline bool delay_is_due(void)
{
    uint64_t granted = __atomic_load_n(&delay_shared->granted_ns, __ATOMIC_RELAXED);
    return __builtin_expect(
        __atomic_load_n(&delay_shared->epoch, __ATOMIC_RELAXED) != delay_own.epoch ||
            (int64_t)(granted - delay_own.delay_ns) > (int64_t)delay_shared->pay_ns,
        0);
}

/* Who releases the object says when, and what it has waited so far. */
static inline void delay_tell_release(uintptr_t object, uint64_t now)
{
    struct trace_delays_release *slot = trace_delays_slot(delay_shared, object);
    __atomic_store_n(&slot->ticks, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->object, object, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->delay_ns, delay_own.delay_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->ticks, now, __ATOMIC_RELEASE);
}

/* Nothing is called here where there is nothing to do: a register saved is a tenth of a bare lock. */
static inline void delay_before_release(uintptr_t object)
{
    uint64_t now;
    if (!delay_is_on())
        return;
    if (__builtin_expect(delay_own.inside || delay_is_due() || !clock_read(&now), 0))
        delay_release(object);
    else
        delay_tell_release(object, now);
}

/* Who owes a wait is not to be seen holding what others want. */
static inline void delay_before_taking(void)
{
    if (delay_is_on() && delay_is_due())
        delay_pay();
}

/* Only who has waited longer than the last to release it may be too early. */
static inline bool delay_may_be_early(uintptr_t object)
{
    const struct trace_delays_release *slot = trace_delays_slot(delay_shared, object);
    return __builtin_expect(__atomic_load_n(&slot->delay_ns, __ATOMIC_RELAXED) < delay_own.delay_ns,
                            0);
}

static inline void delay_after_taking(unsigned site, uintptr_t object)
{
    if (delay_is_on()) {
        if (delay_may_be_early(object))
            delay_taken(object);
        if (site && delay_shared->kind == TRACE_DELAY_LOCK && sites_role(site) & TRACE_PROBE_TARGET)
            delay_locked(object);
    }
}

static inline void delay_after_device(uint64_t start_ticks, unsigned class)
{
    if (delay_is_on())
        delay_device(start_ticks, class);
}

static inline void delay_before_wait(void)
{
    if (delay_is_on())
        delay_block();
}

static inline void delay_after_no_wait(void)
{
    if (delay_is_on())
        delay_went_on();
}

static inline void delay_after_wait(uint64_t start_ticks, uintptr_t object, enum delay_waker waker)
{
    if (delay_is_on())
        delay_woken(start_ticks, object, waker);
}

#endif
