/* run_doubts.h - what of a run speaks against its result, and no number of the tree tells.
 *
 *     run_nested_intervals(&run)      how often a thread was taken from a complete interval
 *
 *         thread 1   BEGIN(a)   BEGIN(b)   END(b)   END(a)
 *                    |--works for a--|--for b--|--for nobody--|
 *
 * A thread works for one interval at a time. One that is begun inside another takes the thread
 * away, and its end does not give it back: from then on the outer one is only waited for.
 */
#ifndef DRIVER_RUNS_RUN_DOUBTS_H
#define DRIVER_RUNS_RUN_DOUBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/timeline.h"
#include "variance/variance_tree.h"

/* Counts the intervals that were ended by the thread that had begun another one inside, and had not
 * entered it again. */
uint64_t run_nested_intervals(const struct timelines *run);

/* Finds two programs that completed intervals; false: there is one at the most. The names are the
 * run's. */
bool run_two_programs(const struct timelines *run, const char *names[2]);

/* Gives the part of all time that was blocked while nobody is known to have ended it; `most` is the
 * call that has most of it, or NODE_NONE. */
double run_unknown_wakers(const struct variance_tree *tree, uint32_t *most);

/* Sums what functions themselves contribute to the variance that hold a region of OpenMP at whose
 * end nobody sees who waits for whom; `most` is the one that contributes most, or NODE_NONE. */
double run_unseen_teams(const struct variance_tree *tree, const struct function_table *functions,
                        uint32_t *most);

#endif
