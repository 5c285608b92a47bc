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
 * stretch is added to exactly one node. Cost: O(log n + blocks within + calls within * log of the
 * blocks within).
 *
 * Those functions that the waker was in when it let go on and that have no span then stand above
 * what it did: serve/lock/background/compact/write, of which only write was timed.
 *
 * What a waker did for another interval than the row's hangs below a node that says so:
 *
 *      serve/lock/another interval (checkout)/compact
 *
 * A call counts once for each row that it is on the path of, and once for each blame and interval
 * that it served meanwhile. The stretches of a row must be given from the latest to the earliest.
 */
#ifndef VARIANCE_ATTRIBUTION_H
#define VARIANCE_ATTRIBUTION_H

#include <stdint.h>

#include "symbol/callee_table.h"
#include "trace/span_walk.h"
#include "trace/timeline.h"
#include "variance/blocked_time.h"
#include "variance/interval_table.h"
#include "variance/off_time.h"
#include "variance/part_set.h"

#define ATTRIBUTION_DEPTH 64u

/* The calls of one thread that end later than `lo` were counted for row `row`. */
struct counted_calls {
    uint64_t row;
    time_ns lo;
};

/* A blame puts what a waker did in [lo, hi] below the node of the call that it ended; or what a
 * thread did that an interval waited for, below the node of that wait. */
struct blame {
    uint32_t thread;
    time_ns lo, hi;
    uint32_t below;
    uint32_t waker; /* callee that stands for the waker where it has no span */
    uint32_t depth;
    uint32_t stack; /* where it let go on from, as in struct block */
};

/* A step leads to the place of a probe's call from the place of the call around it. */
struct attribution_step {
    uint64_t key; /* that place and the probe */
    uint64_t place;
};

enum { ATTRIBUTION_STEP_BITS = 14, ATTRIBUTION_MOST_SHARES = 256 };

struct attribution {
    const struct timelines *run;
    struct callee_table *callees;
    struct interval_table *table;
    struct span_walk walk;
    struct counted_calls *counted; /* by thread */
    struct part_set parts;         /* that were counted for the open row */
    struct part_set blamed_parts;  /* the same for what a waker did for one interval meanwhile */
    uint64_t row;                  /* number of the open row, from 1 */
    uint32_t interval;             /* that it is of */
    struct blame *work;            /* blames still to do */
    uint32_t work_count, work_capacity;
    struct blocked_time blocked;
    uint32_t *blocks_before;      /* by thread: those before the moment last asked for */
    uint32_t *labels_before;      /* the same */
    struct walked_call *unplaced; /* by depth, of the open calls that have no place yet */
    uint32_t unplaced_capacity;
    struct attribution_step *steps;  /* the latest, by some bits of the key */
    struct attribution_step *blamed; /* the same, of what wakers did */
    struct attribution_step other;   /* the latest that is not kept */
    struct path_share *shares;       /* of the latest calls, not added to the table yet */
    uint32_t share_count;
    struct off_time off_time;
    uint32_t others, kernel; /* callees */
    const char *type;        /* of another interval, the last one met */
    uint32_t of_type;        /* its callee */
};

void attribution_init(struct attribution *a, const struct timelines *run,
                      struct callee_table *callees, struct interval_table *table);
void attribution_release(struct attribution *a);

void attribution_next_row(struct attribution *a, uint32_t interval);
void attribution_stretch(struct attribution *a, uint32_t thread, time_ns lo, time_ns hi);
/* The interval waited for a thread to come: a node below the root, of which `ns` are its own.
 * Returns it, for what the thread did meanwhile to be told below it. */
uint32_t attribution_gap(struct attribution *a, enum node_kind kind, uint32_t callee, uint32_t site,
                         time_ns ns);
void attribution_blame(struct attribution *a, const struct blame *blame);

#endif
