/* causal_metric.h - the numbers that are told of a level, and one of latencies: of all, and without one block at a time.
 *
 *     struct jackknife_sum sum = {0};
 *     causal_metric_sum(latencies, &blocks, CAUSAL_P99, &sum);        sum.all, sum.left_out
 */
#ifndef CAUSAL_CAUSAL_METRIC_H
#define CAUSAL_CAUSAL_METRIC_H

#include "stats/blocked.h"

enum causal_metric {
    CAUSAL_PERIOD, /* time from one unit of work to the next: the inverse of the throughput */
    CAUSAL_MEAN,
    CAUSAL_VARIANCE,
    CAUSAL_P50,
    CAUSAL_P99,
    CAUSAL_METRICS
};

/* The part of the latencies that is no longer; 0: the number is no quantile. */
double causal_metric_quantile(enum causal_metric metric);
/* Of latencies in ns, in the order in which they came, to the end of the last block; in ns^2 of the variance. Of
 * CAUSAL_PERIOD what is given are no latencies but times between units of work, and it is their mean. */
void causal_metric_sum(const int64_t *latencies, const struct blocks *blocks,
                       enum causal_metric metric, struct jackknife_sum *sum);

#endif
