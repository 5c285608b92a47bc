/* attribution.h - whose time a stretch of a thread's time is.
 *
 *   attribution_stretch(&a, thread, lo, hi)        adds to the open row of the table:
 *
 *      lo                                   hi
 *      |--serve-----------------------------|      running: own time of serve
 *             |--parse--|                          running: own time of serve/parse
 *                          [blocked t0  t' t1]     serve/lock: (t', t1] wake-up latency, and
 *                                                  [t0, t'] below it as what the waker did
 *
 * The waker's functions become woken-by nodes below the call that blocked, and the same again where
 * the waker was blocked itself, ATTRIBUTION_DEPTH blocked calls deep at the most. Every ns of the
 * stretch is added to exactly one node. Cost: O(log n + spans and blocks within).
 */
#ifndef VARIANCE_ATTRIBUTION_H
#define VARIANCE_ATTRIBUTION_H

#include <stdint.h>

#include "trace/timeline.h"
#include "variance/callee_table.h"
#include "variance/interval_table.h"

#define ATTRIBUTION_DEPTH 64u

/* The node of each span that was asked for, valid while its stamp is the current one. */
struct span_memo {
    uint32_t *node;
    uint32_t *stamp;
};

/* What a waker did in [lo, hi], below the node of the call that it ended. */
struct blame {
    uint32_t thread;
    time_ns lo, hi;
    uint32_t below;
    uint32_t waker; /* callee that stands for the waker where it has no span */
    uint32_t depth;
};

struct attribution {
    const struct timelines *run;
    struct callee_table *callees;
    struct interval_table *table;
    struct span_memo *paths;  /* by thread: node below the root; stamp: last interval counted */
    struct span_memo *wakers; /* by thread: node below the blame at work */
    uint32_t row_stamp;       /* number of the interval, from 1 */
    uint32_t blame_stamp;     /* number of the blame, from 1 */
    struct blame *work;       /* blames still to do */
    uint32_t work_count, work_capacity;
    uint32_t *climb; /* spans whose nodes are being looked up */
    uint32_t climb_count, climb_capacity;
    uint32_t wake_up, unknown_waker, others; /* callees */
};

void attribution_init(struct attribution *a, const struct timelines *run,
                      struct callee_table *callees, struct interval_table *table);
void attribution_release(struct attribution *a);

void attribution_next_row(struct attribution *a);
void attribution_stretch(struct attribution *a, uint32_t thread, time_ns lo, time_ns hi);
/* A leaf below the root: queue, wait, unexplained; met through probe `site`, or 0. */
void attribution_leaf(struct attribution *a, enum node_kind kind, uint32_t callee, uint32_t site,
                      time_ns ns);

#endif
