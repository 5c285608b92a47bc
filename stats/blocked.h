/* blocked.h - what a series gives as a whole and without each of its blocks: mean, covariance,
 * quantile; for the intervals of jackknife.h.
 *
 *     struct blocks blocks = {.count = 2, .first = {0, 3, 6}};     values 0 1 2 | 3 4 5
 *     struct jackknife_sum mean = {0};
 *     blocked_mean(values, &blocks, &mean);
 *
 * Mean and covariance are those of the values that are left, from exact sums; they are added to
 * `sum`. A quantile moves by whole steps from one value to the next, and those near a p99 are few:
 * leaving blocks out would show the width of one or two such gaps. So it is made linear
 * (Bahadur, 1966): with F_b the part of block b that is no greater than the quantile Q, F that of
 * all, and n_b of n values in the block,
 *     left_out[b] = Q + n_b/(n - n_b) (F_b - F) / f
 * where 1/f is the rise of the quantiles within two standard errors of q (as in Woodruff, 1952).
 * The standard error is that of the F_b, so it grows where neighbours are alike.
 *
 * Linear, it does not see a gap between two heaps of values: p99 may be the last of one heap in one
 * run and the first of the next in another. `quantile_reach` has the quantiles at q, one step of
 * probability after the other to both sides, so that those at q -+ t standard errors are the ends
 * of Woodruff's interval, whatever the distribution. No state, no errors.
 */
#ifndef STATS_BLOCKED_H
#define STATS_BLOCKED_H

#include "stats/jackknife.h"

struct blocks {
    uint32_t count; /* 2 to JACKKNIFE_BLOCKS; none is empty */
    size_t first[JACKKNIFE_BLOCKS + 1];
};

enum { REACH_STEPS = 64 };
#define REACH_STEP 0.125 /* of a standard error */

struct quantile_reach {
    bool known;
    double below[REACH_STEPS + 1], above[REACH_STEPS + 1]; /* [0]: the quantile itself */
};

/* The blocks divide `count` values into ones of about one size. */
struct blocks blocks_even(size_t count, uint32_t blocks);

void blocked_mean(const int64_t *values, const struct blocks *blocks, struct jackknife_sum *sum);
/* The sum is `by` times the covariance; a variance is the covariance with itself. */
void blocked_covariance(const int64_t *x, const int64_t *y, const struct blocks *blocks, double by,
                        struct jackknife_sum *sum);
/* The values in `sorted` are the same ones in ascending order; 0 < q < 1. Sets `sum` and `reach`. */
void blocked_quantile(const int64_t *values, const int64_t *sorted, const struct blocks *blocks,
                      double q, struct jackknife_sum *sum, struct quantile_reach *reach);

#endif
