#include "stats/blocked.h"

#include <math.h>

#include "stats/exact_moments.h"
#include "stats/quantile.h"

struct blocks blocks_even(size_t count, uint32_t blocks)
{
    struct blocks made = {.count = blocks};
    for (uint32_t b = 0; b <= blocks; b++)
        made.first[b] = (size_t)(((unsigned __int128)count * b + blocks - 1) / blocks);
    return made;
}

void blocked_mean(const int64_t *values, const struct blocks *blocks, struct jackknife_sum *sum)
{
    __int128 part[JACKKNIFE_BLOCKS], all = 0;
    size_t n = blocks->first[blocks->count];
    for (uint32_t b = 0; b < blocks->count; b++) {
        part[b] = 0;
        for (size_t i = blocks->first[b]; i < blocks->first[b + 1]; i++)
            part[b] += values[i];
        all += part[b];
    }
    sum->all += exact_mean(n, all);
    for (uint32_t b = 0; b < blocks->count; b++)
        sum->left_out[b] +=
            exact_mean(n - (blocks->first[b + 1] - blocks->first[b]), all - part[b]);
}

void blocked_covariance(const int64_t *x, const int64_t *y, const struct blocks *blocks, double by,
                        struct jackknife_sum *sum)
{
    struct exact_comoments part[JACKKNIFE_BLOCKS], all = {0};
    for (uint32_t b = 0; b < blocks->count; b++) {
        part[b] = (struct exact_comoments){0};
        for (size_t i = blocks->first[b]; i < blocks->first[b + 1]; i++)
            exact_comoments_add(&part[b], x[i], y[i]);
        exact_comoments_merge(&all, &part[b]);
    }
    sum->all += by * exact_comoments_covariance(&all);
    for (uint32_t b = 0; b < blocks->count; b++)
        sum->left_out[b] +=
            by * exact_covariance(all.n - part[b].n, all.sum_x - part[b].sum_x,
                                  all.sum_y - part[b].sum_y, all.product - part[b].product);
}

/* The rise of the quantiles about q, for one of probability. */
static double quantile_slope(const int64_t *sorted, size_t count, double q, double error)
{
    double reach = 0.9 * fmin(q, 1 - q);
    double least = sqrt(q * (1 - q) / (double)count); /* of values that are independent */
    double step = fmin(2 * fmax(error, least), reach);
    return (quantile_sorted(sorted, count, q + step) - quantile_sorted(sorted, count, q - step)) /
           (2 * step);
}

void blocked_quantile(const int64_t *values, const int64_t *sorted, const struct blocks *blocks,
                      double q, struct jackknife_sum *sum)
{
    size_t n = blocks->first[blocks->count], below = 0;
    size_t below_in[JACKKNIFE_BLOCKS] = {0};
    double squares = 0;
    sum->all = quantile_sorted(sorted, n, q);
    for (uint32_t b = 0; b < blocks->count; b++) {
        for (size_t i = blocks->first[b]; i < blocks->first[b + 1]; i++)
            below_in[b] += (double)values[i] <= sum->all;
        below += below_in[b];
    }
    for (uint32_t b = 0; b < blocks->count; b++) {
        double size = (double)(blocks->first[b + 1] - blocks->first[b]);
        double apart = (double)below_in[b] - size * (double)below / (double)n;
        sum->left_out[b] = apart / ((double)n - size);
        squares += sum->left_out[b] * sum->left_out[b];
    }
    double error = sqrt(squares * (blocks->count - 1) / blocks->count);
    double slope = quantile_slope(sorted, n, q, error);
    for (uint32_t b = 0; b < blocks->count; b++)
        sum->left_out[b] = sum->all + sum->left_out[b] * slope;
}
