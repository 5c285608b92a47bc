/* critical_path.h - back from the end of an interval to its begin, through whatever it waited for.
 *
 *   thread 0  |begin==I==push|
 *   thread 1                 ~~~queue~~~|pop==I===[blocked]===I==end|
 *                                                     ^ what the waker did, below the call
 *
 * A cursor (thread, time) goes backwards from (end thread, end); each turn it
 *   1. goes over the stretch of the thread that is labelled with the interval and reaches the time;
 *   2. there follows the task that the thread had picked up to its creator: time in the queue;
 *   3. else goes to the thread's last segment of the interval: "waiting";
 *   4. else to the interval's segment on any thread that was worked in last (left_off.h), which
 *      handed it over through a queue that is not declared;
 *   5. else the rest is unexplained.
 * What the thread was doing in the time of 2 to 4, before it came to the interval, hangs below
 * that. (VProfiler, EuroSys'17, Algorithm 2, made exact.)
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
