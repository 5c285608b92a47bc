/* meanwhile.h - what a thread did while an interval waited for it to come, summed up beforehand.
 *
 *   labels   |a |  |b |  |a |c |  |b |  |a |  |      of a loop that serves many in turn
 *   chunks   |0       |1       |2       |3           some labels each
 *   waits       |---------------------------|        of a: chunks 1 and 2, and a rest
 *                                                    on either side
 *
 * With n intervals in flight, each waits while n others are served: to sweep all of a wait would
 * take n times as long as the trace is. So what the thread did in a chunk is swept once, below a
 * root of its own; of two, four, eight chunks that is added up once; and a wait adds up a few of
 * these. They are the same for whatever interval was worked for by nobody in that time, which
 * nothing tells from any other then; else a wait is swept. The times are those that a sweep finds.
 *
 * One job's; borrows the run and the callees; owns the rest. Made on the first use.
 */
#ifndef VARIANCE_MEANWHILE_H
#define VARIANCE_MEANWHILE_H

#include "base/arena.h"
#include "variance/attribution.h"

enum { MEANWHILE_LEVELS = 32 };

/* A node of the table of what was swept: its time and calls. */
struct meanwhile_cell {
    uint32_t node, calls;
    time_ns ns;
};

struct meanwhile_sum {
    struct meanwhile_cell *cells; /* by node; NULL: not worked out */
    uint32_t count;
};

/* A thread has its chunks: `begins` has one more than there are; sums[l][i] are of 2^l chunks. */
struct meanwhile_thread {
    time_ns *begins;
    uint32_t count;
    struct meanwhile_sum *sums[MEANWHILE_LEVELS];
};

/* Each of the swept nodes is one of an interval's table, below `below`. */
struct meanwhile_map {
    uint32_t below;
    uint32_t *nodes; /* 0: not known */
    uint32_t capacity;
};

struct meanwhile {
    const struct timelines *run;
    struct callee_table *callees;
    struct arena arena;
    bool made;
    struct interval_table table; /* of what is swept */
    struct attribution attribution;
    uint64_t *calls_before; /* by its node: in chunks that were swept before */
    time_ns *ns;            /* by its node: in the chunk that is */
    uint32_t node_capacity;
    struct meanwhile_thread *threads;
    struct meanwhile_map *maps;
    uint32_t map_count, map_capacity;
};

void meanwhile_init(struct meanwhile *m, const struct timelines *run, struct callee_table *callees);
void meanwhile_release(struct meanwhile *m);

/* The function tells what the thread of `blame` did, below its node in the open row of `a`. From
 * `idle` on until its end nobody worked for the row's interval. */
void meanwhile_tell(struct meanwhile *m, struct attribution *a, const struct blame *blame,
                    time_ns idle);

#endif
