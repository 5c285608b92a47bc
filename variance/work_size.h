/* work_size.h - how much of the latency's variance goes with the size of the work.
 *
 *     SI_VALUE(id, "rows", n)       latency = a + slope * rows + the rest
 *                                   explained = Cov(rows, L)^2 / (Var(rows) Var(L))
 *
 * What the values explain is inherent: more was asked for. The rest is what can be avoided. For
 * each name alone, with a 95 % interval (block jackknife of the correlation's atanh), and for the
 * WORK_SIZE_JOINT best names together. Several values of a name in one interval add up; an interval
 * without one counts as 0. A sum beyond -+ 2^47 counts as that, so that all sums are exact integers
 * and merge. The names live in `arena`.
 */
#ifndef VARIANCE_WORK_SIZE_H
#define VARIANCE_WORK_SIZE_H

#include "stats/regression.h"
#include "variance/interval_summary.h"

#define WORK_SIZE_JOINT REGRESSION_MOST

/* Sets the summary's values, the one that explains most first. */
void work_size_fill(struct interval_summary *summary, struct arena *arena,
                    const struct row_list *rows, const struct timelines *run);

#endif
