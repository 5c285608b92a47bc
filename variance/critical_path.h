/* critical_path.h - what an interval's latency was spent in, along its critical path.
 *
 *   thread 0  |begin==I==push|
 *   thread 1                 ~~~queue~~~|pop==I===[blocked]===I==end|
 *                                                     ^ what the waker did, below the call
 *
 * interval/path_walk.h goes over the parts. A stretch is attributed to calls; what a thread was
 * doing before it came to the interval hangs below the gap.
 *
 * Law 1: the attributed times of an interval sum to end - begin. Checked in every run.
 */
#ifndef VARIANCE_CRITICAL_PATH_H
#define VARIANCE_CRITICAL_PATH_H

#include "interval/row_list.h"
#include "symbol/callee_table.h"
#include "trace/timeline.h"
#include "variance/interval_table.h"

struct segment_index;

/* The function adds up the critical paths of all rows. Those of a latency of `tail_ns` or more are
 * the tail. */
void critical_path_fill(struct interval_table *table, const struct timelines *run,
                        const struct segment_index *segments, const struct row_list *rows,
                        double tail_ns, struct callee_table *callees);
/* Calls `take` with each row in turn, by its number; the table's cells are its. */
void critical_path_visit(struct interval_table *table, const struct timelines *run,
                         const struct row_list *rows, struct callee_table *callees,
                         void (*take)(void *context, uint64_t row), void *context);

#endif
