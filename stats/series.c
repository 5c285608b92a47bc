#include "stats/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int ascending(const void *a, const void *b)
{
    int64_t s = *(const int64_t *)a, t = *(const int64_t *)b;
    return s < t ? -1 : s > t;
}

static void measure_quantile(const struct series *series, double q, struct jackknife_sum *sum,
                             struct quantile_reach *reach)
{
    size_t count = series->blocks.first[series->blocks.count];
    int64_t *sorted = memory_alloc(sizeof *sorted * count);
    memcpy(sorted, series->values, sizeof *sorted * count);
    qsort(sorted, count, sizeof *sorted, ascending);
    blocked_quantile(series->values, sorted, &series->blocks, q, sum, reach);
    memory_free(sorted);
}

void series_measure(const struct series *series, enum metric metric, struct jackknife_sum *sum,
                    struct quantile_reach *reach)
{
    const int64_t *values = series->values;
    *sum = (struct jackknife_sum){0};
    *reach = (struct quantile_reach){.known = false};
    if (metric == METRIC_MEAN)
        blocked_mean(values, &series->blocks, sum);
    else if (metric == METRIC_VARIANCE)
        blocked_covariance(values, values, &series->blocks, 1, sum);
    else
        measure_quantile(series, metric_quantile(metric), sum, reach);
}
