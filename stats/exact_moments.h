/* exact_moments.h - variance and covariance from exact integer sums.
 *
 *     struct exact_moments m = {0};
 *     exact_moments_add(&m, 3);
 *     double v = exact_moments_variance(&m);
 *
 * Var = (n*Sxx - Sx*Sx) / n^2, of the population. Nothing is rounded before the final division, so
 * a huge common offset costs no digits, and that division is exact: the result is the double
 * nearest to the true value (stats/wide.h). Values up to 2^62. With n = 0 every result is 0. No
 * state, no errors.
 */
#ifndef STATS_EXACT_MOMENTS_H
#define STATS_EXACT_MOMENTS_H

#include <stdint.h>

struct exact_moments {
    uint64_t n;
    __int128 sum;
    __int128 square;
};

void exact_moments_add(struct exact_moments *m, int64_t x);
double exact_moments_mean(const struct exact_moments *m);
double exact_moments_variance(const struct exact_moments *m);

/* The moments can be had from bare sums. exact_spread is n^2 times the covariance: n*Sxy - Sx*Sy; a
 * variance is the covariance with itself. A ratio of two spreads needs no n. */
double exact_mean(uint64_t n, __int128 sum);
double exact_spread(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product);
double exact_covariance(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product);
double exact_variance(uint64_t n, __int128 sum, __int128 square);

#endif
