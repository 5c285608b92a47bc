/* series.h - times of intervals in order, in blocks: what is measured of them.
 *
 *     struct series series = {.values = latency, .blocks = blocks_even(count, 20)};
 *     struct jackknife_sum p99;
 *     struct quantile_reach reach;
 *     series_measure(&series, METRIC_P99, &p99, &reach);
 *
 * Borrows the values.
 */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include "stats/blocked.h"
#include "stats/change.h"

struct series {
    const int64_t *values;
    struct blocks blocks;
};

/* The reach is known of a quantile alone. */
void series_measure(const struct series *series, enum metric metric, struct jackknife_sum *sum,
                    struct quantile_reach *reach);

#endif
