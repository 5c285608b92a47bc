#include "causal/width.h"

#include <math.h>

#include "causal/causal_metric.h"
#include "stats/student.h"

/* Squares of errors: a level's and half as much. */
#define BOTH 1.5
/* Chosen: of fewer, a short pilot has too few of the rare values to tell how much these vary. */
enum { LEAST_OF_BLOCK = 5, LEAST_BEYOND = 20 };

struct causal_spread causal_spread_of(const int64_t *values, size_t count, double seconds,
                                      enum causal_metric metric)
{
    struct causal_spread spread = {.known = false};
    double beyond = metric == CAUSAL_P99 ? 0.01 : 0.5;
    if (count < (size_t)LEAST_OF_BLOCK * JACKKNIFE_BLOCKS || (double)count * beyond < LEAST_BEYOND)
        return spread;
    struct blocks blocks = blocks_even(count, JACKKNIFE_BLOCKS);
    struct jackknife_sum sum = {0};
    causal_metric_sum(values, &blocks, metric, &sum);
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
