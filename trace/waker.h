/* waker.h - who ended each block.
 *
 *     thread 1   |---- blocked on m ----|
 *     thread 2           release m ^            -> waker 2
 *
 * COND, SEMAPHORE, CHANNEL, FUTEX: the earliest release of the object within the block by another
 * thread that no waiter before used up; a BROADCAST serves all, and who left some uses up nothing.
 * Waiters take theirs in order of the ends of their blocks, which leaves no waiter without a
 * release that could have had one; who did not have to wait takes the latest one before. Amounts: a
 * release is used up by as many; a waiter that used several has the last as its waker, but the
 * first of a CHANNEL, where it had to wait for that only. BARRIER: the earliest arrival within the
 * block of a thread that did not have to wait itself: others may arrive again before a slow one has
 * left. All others: the latest release within the block by another thread; also where an end of a
 * channel was closed.
 *
 * An object is the same for MUTEX and MUTEX only, and so on: a lock and the mutex that is its first
 * member have one address. USER and SPIN are one class; a WRITE of an rwlock may have been ended by
 * both of its releases, a READ only by one of who wrote.
 *
 * A COND block contains the wait for the mutex afterwards. Its record does not name the mutex, but
 * a condition wait releases it, with the same site, just before it blocks: where one such record
 * was seen (the runtime leaves it out while nobody waits for the mutex), the condition's mutex is
 * known for the run. Then a block in which another thread released the mutex after the signal is
 * split at the signal into a COND and a MUTEX block. Else it stays whole, with the signaller as
 * waker.
 *
 * Blocks within a block (a mutex inside of a lock that the config names) are kept; the outer one is
 * cut around them. Its waker is found for the whole and kept by the part in which it falls; the
 * other parts have none.
 */
#ifndef TRACE_WAKER_H
#define TRACE_WAKER_H

#include <stddef.h>

#include "base/hash_map.h"
#include "trace/hold.h"
#include "trace/release_order.h"
#include "trace/timeline.h"

struct waker_block {
    struct block block;
    uint64_t key;
    uint32_t thread;
    uint32_t ending; /* enum trace_ending */
    uint32_t amount; /* 0: 1 */
    uint32_t next;   /* not 0: the wake was false, and that block is the same wait again */
    uint64_t order;
};

/* A pair is a condition and its mutex. */
struct waker_pair {
    uint64_t key;
    uint64_t object;
    bool known; /* false: it was waited for with several */
};

/* A name is that of the object whose key was asked for last. */
struct waker_name {
    uint64_t object, key;
    uint32_t operation;
    bool closes, known;
};

/* Was a wake false? What the thread has done since its latest block. */
struct waker_loop {
    uint32_t thread;
    uint32_t last;   /* 1 + its latest block; 0: none */
    uint32_t marked; /* 1 + the block that VPROF_FALSE_WAKEUP speaks of; 0: none */
    bool acted;      /* so that the wake was not in vain */
    bool again;      /* it goes to wait for the same condition */
};

struct waker_list {
    struct waker_release *releases;
    size_t release_count;
    size_t release_capacity;
    uint64_t last_object, object_before; /* of the last two releases */
    struct waker_name name;              /* of the last one */
    struct waker_block *blocks;
    size_t block_count;
    size_t block_capacity;
    struct hash_map mutexes; /* key of a condition -> 1 + index in `pairs` */
    struct waker_pair *pairs;
    size_t pair_count;
    size_t pair_capacity;
    struct hold_takings takings;
    struct waker_loop loop;
};

/* Does a release of this operation, an enum trace_operation, wake one waiter only, for good? */
bool waker_is_used_up(uint32_t operation);

/* The blocks and releases are added thread by thread, in the order of the logs. `object` is as in
 * struct block. */
void waker_list_add_release(struct waker_list *list, uint32_t thread, uint64_t object,
                            uint32_t operation, struct waker_release release);
void waker_list_add_block(struct waker_list *list, uint32_t thread, struct block block,
                          enum trace_ending ending, uint32_t amount);
/* The thread took what is held, by a mark. */
void waker_list_add_taking(struct waker_list *list, uint32_t thread, uint64_t object, time_ns time);
/* The thread did something: a wake before was not in vain. */
void waker_list_add_act(struct waker_list *list, uint32_t thread);
/* The thread's latest wake was in vain, whatever it did. */
void waker_list_add_false_wakeup(struct waker_list *list, uint32_t thread);
/* The function fills in the threads' blocks, which live in `arena`. */
void waker_list_build(struct waker_list *list, struct timelines *run, struct arena *arena);
void waker_list_release(struct waker_list *list);

#endif
