#include "causal/causal_metric.h"

#include <string.h>

#include "base/memory.h"
#include "base/number_sort.h"

double causal_metric_quantile(enum causal_metric metric)
{
    return metric == CAUSAL_P50 ? 0.5 : metric == CAUSAL_P99 ? 0.99 : 0;
}

static void sum_quantile(const int64_t *latencies, const struct blocks *blocks, double q,
                         struct jackknife_sum *sum)
{
    size_t count = blocks->first[blocks->count];
    struct quantile_reach reach;
    int64_t *sorted = memory_alloc(sizeof *sorted * count);
    memcpy(sorted, latencies, sizeof *sorted * count);
    number_sort(sorted, count);
    blocked_quantile(latencies, sorted, blocks, q, sum, &reach);
    memory_free(sorted);
}

void causal_metric_sum(const int64_t *latencies, const struct blocks *blocks,
                       enum causal_metric metric, struct jackknife_sum *sum)
{
    if (causal_metric_quantile(metric) > 0)
        sum_quantile(latencies, blocks, causal_metric_quantile(metric), sum);
    else if (metric == CAUSAL_VARIANCE)
        blocked_covariance(latencies, latencies, blocks, 1, sum);
    else
        blocked_mean(latencies, blocks, sum);
}
