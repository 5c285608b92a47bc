#include "causal/width.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_sort.h"
#include "stats/blocked.h"
#include "stats/student.h"

/* Squares of errors: a level's and half as much. */
#define BOTH 1.5
/* Chosen: of fewer, a short pilot has too few of the rare values to tell how much these vary. */
enum { LEAST_OF_BLOCK = 5, LEAST_BEYOND = 20 };

static void quantile(const int64_t *values, size_t count, const struct blocks *blocks, double q,
                     struct jackknife_sum *sum)
{
    struct quantile_reach reach;
    int64_t *sorted = memory_alloc(sizeof *sorted * count);
    memcpy(sorted, values, sizeof *sorted * count);
    number_sort(sorted, count);
    blocked_quantile(values, sorted, blocks, q, sum, &reach);
    memory_free(sorted);
}

static struct jackknife_sum sum_of(const int64_t *values, size_t count, const struct blocks *blocks,
                                   enum causal_metric metric)
{
    struct jackknife_sum sum = {0};
    if (metric == CAUSAL_VARIANCE)
        blocked_covariance(values, values, blocks, 1, &sum);
    else if (metric == CAUSAL_P50 || metric == CAUSAL_P99)
        quantile(values, count, blocks, metric == CAUSAL_P50 ? 0.5 : 0.99, &sum);
    else
        blocked_mean(values, blocks, &sum);
    return sum;
}

struct causal_spread causal_spread_of(const int64_t *values, size_t count, double seconds,
                                      enum causal_metric metric)
{
    struct causal_spread spread = {.known = false};
    double beyond = metric == CAUSAL_P99 ? 0.01 : 0.5;
    if (count < (size_t)LEAST_OF_BLOCK * JACKKNIFE_BLOCKS || (double)count * beyond < LEAST_BEYOND)
        return spread;
    struct blocks blocks = blocks_even(count, JACKKNIFE_BLOCKS);
    struct jackknife_sum sum = sum_of(values, count, &blocks, metric);
    if (sum.all <= 0)
        return spread;
    spread.known = true;
    spread.error_s = jackknife_error(sum.left_out, blocks.count) / sum.all * sqrt(seconds);
    return spread;
}

double causal_width_after(const struct causal_spread *spread, uint32_t blocks, double seconds)
{
    return exp(student_beyond(0.05, blocks - 1) * spread->error_s * sqrt(BOTH / seconds)) - 1;
}

double causal_width_takes(const struct causal_spread *spread, uint32_t blocks, double width)
{
    double times = student_beyond(0.05, blocks - 1) * spread->error_s / log(1 + width);
    return BOTH * times * times;
}

const char *causal_width_name(enum causal_metric metric)
{
    return metric == CAUSAL_P99 ? "p99" : metric == CAUSAL_MEAN ? "the mean" : "the throughput";
}
