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

struct pair_sums {
    uint64_t n;
    __int128 x, y, product;
};

static struct pair_sums sums_of(const int64_t *x, const int64_t *y, size_t first, size_t end)
{
    struct pair_sums sums = {.n = end - first};
    for (size_t i = first; i < end; i++) {
        sums.x += x[i];
        sums.y += y[i];
        sums.product += (__int128)x[i] * y[i];
    }
    return sums;
}

void blocked_covariance(const int64_t *x, const int64_t *y, const struct blocks *blocks, double by,
                        struct jackknife_sum *sum)
{
    struct pair_sums part[JACKKNIFE_BLOCKS], all = {0};
    for (uint32_t b = 0; b < blocks->count; b++) {
        part[b] = sums_of(x, y, blocks->first[b], blocks->first[b + 1]);
        all.n += part[b].n;
        all.x += part[b].x;
        all.y += part[b].y;
        all.product += part[b].product;
    }
    sum->all += by * exact_covariance(all.n, all.x, all.y, all.product);
    for (uint32_t b = 0; b < blocks->count; b++)
        sum->left_out[b] += by * exact_covariance(all.n - part[b].n, all.x - part[b].x,
                                                  all.y - part[b].y, all.product - part[b].product);
}

/* The least that a quantile's standard error can be, in probability: that of values that are
 * independent. */
static double least_error(size_t count, double q)
{
    return sqrt(q * (1 - q) / (double)count);
}

/* The slope is the rise of the quantiles about q, for one of probability. */
static double quantile_slope(const int64_t *sorted, size_t count, double q, double error)
{
    double reach = 0.9 * fmin(q, 1 - q);
    double step = fmin(2 * fmax(error, least_error(count, q)), reach);
    return (quantile_sorted(sorted, count, q + step) - quantile_sorted(sorted, count, q - step)) /
           (2 * step);
}

static void find_reach(const int64_t *sorted, size_t count, double q, double error,
                       struct quantile_reach *reach)
{
    double step = REACH_STEP * fmax(error, least_error(count, q));
    reach->known = true;
    for (int i = 0; i <= REACH_STEPS; i++) {
        reach->below[i] = quantile_sorted(sorted, count, fmax(q - i * step, 0));
        reach->above[i] = quantile_sorted(sorted, count, fmin(q + i * step, 1));
    }
}

void blocked_quantile(const int64_t *values, const int64_t *sorted, const struct blocks *blocks,
                      double q, struct jackknife_sum *sum, struct quantile_reach *reach)
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
    find_reach(sorted, n, q, error, reach);
}
