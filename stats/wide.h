/* wide.h - whole numbers of 256 bits, as far as a variance needs them: n*Sxy - Sx*Sy of any sums.
 *
 *     struct wide spread = wide_spread(n, sum_x, sum_y, product);
 *     double share = wide_ratio(spread, wide_spread(n, sum_l, sum_l, square_l));
 *
 * wide_ratio is the double nearest to the true quotient (a tie goes to the even one), so another
 * program that divides the same sums prints the same digits. A denominator of 0 gives 0. Values;
 * no state.
 */
#ifndef STATS_WIDE_H
#define STATS_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct wide {
    bool negative;
    uint64_t limbs[4]; /* of the magnitude, the least first */
};

struct wide wide_of(__int128 value);
struct wide wide_product(__int128 a, __int128 b);
/* The result is a - b; both are below 2^254. */
struct wide wide_minus(struct wide a, struct wide b);
/* The spread is n^2 times a covariance: n*product - sum_x*sum_y. */
struct wide wide_spread(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product);
/* The denominator's magnitude is below 2^255. */
double wide_ratio(struct wide numerator, struct wide denominator);

#endif
