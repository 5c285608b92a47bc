/* interval_summary.h - the latencies themselves: how many, how long, how spread, by type.
 *
 * Of the rows of an interval table. Quantiles as in stats/quantile.h. Names and types live in
 * `arena`; there are no types where no interval was given one.
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
