/* interval_summary.h - the latencies themselves: how many, how long, how spread, by type.
 *
 * Of the rows of an interval table. Quantiles as in stats/quantile.h. Names and types live in
 * `arena`; there are no types where no interval was given one. With n_t of a type's intervals that
 * make S_t together, and n and S of all,
 *     between types = sum of n_t/n (S_t/n_t - S/n)^2    within types = sum of n_t/n Var_t
 * (the law of total variance): the sums by type are exact and add up to those of all intervals.
 */
#ifndef VARIANCE_INTERVAL_SUMMARY_H
#define VARIANCE_INTERVAL_SUMMARY_H

#include "base/arena.h"
#include "trace/timeline.h"
#include "variance/interval_table.h"
#include "variance/variance_tree.h"

void interval_summary_fill(struct interval_summary *summary, struct arena *arena,
                           const struct interval_table *table, const struct timelines *run);

#endif
