/* time_owner.h - whose a thread's time was, down to whom it waited for.
 *
 *     1   runs |------- waits for 2 --------|~| runs      leaves: 1 runs; 2 runs; 2 waits for the disk;
 *     2          runs |-- disk --| runs               1 wants a processor (~), which 3 had
 *                                                     edge:   1 -> 2, all of its wait
 *
 * Each ns of [lo, hi] is one leaf's. A wait that another thread ended is an edge, and its time is
 * what that thread did meanwhile, and so on, TIME_OWNER_DEPTH waits deep at the most. These are the
 * leaves of the variance tree (variance/attribution.h), by thread and not by function: who held a
 * lock is followed part by part. A waker that is no thread of the run, where the tree stops, is
 * followed too, by what the kernel tells of it.
 *
 * Numbers are of vertices. Cost: O(log n + waits within, times their depth).
 */
#ifndef WAITS_TIME_OWNER_H
#define WAITS_TIME_OWNER_H

#include "waits/vertex_table.h"

#define TIME_OWNER_DEPTH 64u
#define NO_VERTEX UINT32_MAX

enum time_kind {
    TIME_RUNS,       /* `from` ran */
    TIME_PROCESSOR,  /* `from` wanted a processor, which `to` had; NO_VERTEX: records are missing */
    TIME_WAKES,      /* `from` was let go on and had not gone on yet; no more is known */
    TIME_WAITS,      /* `from` waited for `to`, no thread, or not followed any further */
    TIME_QUEUE,      /* a request lay in the queue of `from`, which had not begun to live yet */
    TIME_UNEXPLAINED /* of a request */
};

struct time_taker {
    void (*leaf)(void *context, enum time_kind kind, uint32_t from, uint32_t to, time_ns ns);
    void (*edge)(void *context, uint32_t from, uint32_t to, time_ns ns); /* it is followed */
};

struct time_owner {
    const struct timelines *run;
    const struct vertex_table *vertices;
    uint32_t *vertex_of_thread;
    const struct time_taker *taker;
    void *context;
};

/* Borrows all but the array. The run has a kernel side. */
void time_owner_init(struct time_owner *owner, const struct timelines *run,
                     const struct vertex_table *vertices, const struct time_taker *taker,
                     void *context);
void time_owner_release(struct time_owner *owner);
/* Of a thread of the run. */
void time_owner_tell(const struct time_owner *owner, uint32_t thread, time_ns lo, time_ns hi);

#endif
