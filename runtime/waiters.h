/* waiters.h - is some thread, of any process of this run, waiting for an object?
 *
 *     waiters_add(mutex);  wait...;  waiters_remove(mutex);
 *     if (waiters_any(mutex)) record a release                  one load where nobody waits
 *
 * There are 512 counters, shared through the file $VPROF_TRACE_DIR/waiters.shm. An object's slot
 * comes from address bits 3 to 11, which are the same wherever two processes map the object's page.
 * So an answer "yes" may be about a neighbour: that costs a superfluous record, never a missing
 * one. A waiter that is killed, or leaves by longjmp, stays counted: the same small cost.
 *
 * Who waits for a whole set of descriptors, by epoll, does not count for each of them: that would
 * take as long as the set is large. What was ever put into one is marked as watched, and all who
 * wait for a set count together.
 */
#ifndef RUNTIME_WAITERS_H
#define RUNTIME_WAITERS_H

#include <stdbool.h>
#include <stdint.h>

#define WAITERS_SLOTS 512u

/* The table has the counters, a mark for each slot, and how many wait for sets. */
enum { WAITERS_WATCHED = WAITERS_SLOTS, WAITERS_OF_SETS = 2 * WAITERS_SLOTS, WAITERS_WORDS };

extern uint32_t *waiters_table; /* never null: private memory until waiters_start() */

/* The counters are shared by a file of the trace folder; else with the children of this process
 * only. */
void waiters_start(void);

static inline uint32_t *waiters_slot(uintptr_t object)
{
    return &waiters_table[(object >> 3) & (WAITERS_SLOTS - 1)];
}

static inline bool waiters_any(uintptr_t object)
{
    return __atomic_load_n(waiters_slot(object), __ATOMIC_RELAXED) != 0;
}

/* Somebody waits for the channel by itself, or by a set that it is in. */
static inline bool waiters_any_of_channel(uintptr_t object)
{
    if (waiters_any(object))
        return true;
    return __atomic_load_n(waiters_slot(object) + WAITERS_WATCHED, __ATOMIC_RELAXED) &&
           __atomic_load_n(&waiters_table[WAITERS_OF_SETS], __ATOMIC_RELAXED);
}

static inline void waiters_watch(uintptr_t object)
{
    __atomic_store_n(waiters_slot(object) + WAITERS_WATCHED, 1, __ATOMIC_RELAXED);
}

static inline void waiters_add_for_set(void)
{
    __atomic_fetch_add(&waiters_table[WAITERS_OF_SETS], 1, __ATOMIC_SEQ_CST);
}

static inline void waiters_remove_for_set(void)
{
    __atomic_fetch_sub(&waiters_table[WAITERS_OF_SETS], 1, __ATOMIC_RELAXED);
}

static inline void waiters_add(uintptr_t object)
{
    __atomic_fetch_add(waiters_slot(object), 1, __ATOMIC_SEQ_CST);
}

static inline void waiters_remove(uintptr_t object)
{
    __atomic_fetch_sub(waiters_slot(object), 1, __ATOMIC_RELAXED);
}

#endif
