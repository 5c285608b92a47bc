/* hold.h - who held what a thread waited for, one after the other.
 *
 *     thread 1   |------- blocked on m -------|          three parts, the last one first:
 *     thread 2   ======|                                 2, then nobody, then 3, then 2 again
 *     thread 3           ==========|
 *     thread 2                      =======|
 *
 *     struct block part = block_last_part(run, block);
 *     do ... while (block_part_before(run, block, &part));
 *
 * A part is like a block: [start, end], and its waker is who held the object from its start to its
 * waker_time; from there to its end nobody did. Where several held it at once (readers, units of a
 * semaphore) it is the one of them who let go last. The parts make up the block; some are empty. A
 * part without a waker is the first: who had the object then is not known.
 */
#ifndef TRACE_HOLD_H
#define TRACE_HOLD_H

#include "base/hash_map.h"
#include "trace/timeline.h"

/* A thread had what others waited for, from `since` (INT64_MIN: not known) to its release. */
struct hold {
    time_ns since, until;
    uint32_t thread, site, stack; /* of the release, as those of a block's waker */
    uint32_t before; /* of the object, the last to end of those that began earlier: its index + 1 */
};

struct block block_last_part(const struct timelines *run, const struct block *whole);
bool block_part_before(const struct timelines *run, const struct block *whole, struct block *part);

/* The result tells whether it can be said of an enum trace_operation who has its object. */
static inline bool hold_is_of(uint32_t operation)
{
    const uint32_t held = 1u << TRACE_OP_MUTEX | 1u << TRACE_OP_RWLOCK_READ |
                          1u << TRACE_OP_RWLOCK_WRITE | 1u << TRACE_OP_SEMAPHORE |
                          1u << TRACE_OP_USER | 1u << TRACE_OP_SPIN;
    return operation < 32 && (held >> operation & 1);
}

#define HOLD_UNKNOWN INT64_MIN /* it began before anybody waited, or nobody noted it */

struct hold_taking {
    time_ns time;
    uint32_t before, depth; /* before: 1 + the one before of the same object; 0: none */
};

/* The thread whose log is read has taken these objects and not given them back yet. */
struct hold_takings {
    struct hash_map open; /* by object: 1 + its latest */
    uint64_t key;         /* of the object asked for last; `latest` is its place, or NULL */
    uint64_t *latest;
    struct hold_taking *items;
    size_t count, capacity;
    uint32_t thread;
};

/* The takings are added in the order of the logs, thread by thread. Objects are known by their
 * waker_key. */
void hold_takings_add(struct hold_takings *takings, uint32_t thread, uint64_t key, time_ns time);
/* The object is given back: the result is since when it was held, or HOLD_UNKNOWN. */
time_ns hold_takings_end(struct hold_takings *takings, uint32_t thread, uint64_t key);
void hold_takings_release(struct hold_takings *takings);

#endif
