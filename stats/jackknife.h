/* jackknife.h - how sure an estimate from a series is: block jackknife.
 *
 *   series  |--block 0--|--block 1--| ... |--block B-1--|     in order of time
 *
 * Leave each block out in turn and estimate from the rest: left_out[b]. Blocks keep neighbours in
 * time together, so that what drifts or comes in bursts widens the interval as it should.
 *     se^2 = (B-1)/B * sum (left_out[b] - mean)^2,   interval = estimate -+ t(B-1) * se
 * (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 11). Fewer than two blocks give
 * an interval of no width.
 *
 * A ratio part/whole of long-tailed sums is skewed, and that interval misses the truth too often.
 * Its interval is the r for which part - r*whole is not told from 0: all r with
 *     |part - r*whole| <= t(B-1) * se(part - r*whole)
 * (Fieller, 1954), two roots of a quadratic in r. It need not lie even about the estimate.
 */
#ifndef STATS_JACKKNIFE_H
#define STATS_JACKKNIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JACKKNIFE_BLOCKS 20u /* at the most */

/* The block of element `index` of `count`; sizes differ by one at the most. */
uint32_t jackknife_block(size_t index, size_t count, uint32_t blocks);
/* The first element of a block; of block `blocks`: the count. */
size_t jackknife_first(uint32_t block, size_t count, uint32_t blocks);
uint32_t jackknife_block_count(size_t count); /* min(count, JACKKNIFE_BLOCKS) */
/* The standard error; of fewer than two blocks 0. */
double jackknife_error(const double *left_out, uint32_t blocks);
void jackknife_interval(const double *left_out, uint32_t blocks, double estimate, double ci95[2]);

/* A sum has its value of all, and without each block. */
struct jackknife_sum {
    double all;
    double left_out[JACKKNIFE_BLOCKS];
};

/* The result tells whether `sum` is told from 0: its interval does not hold it. */
bool jackknife_differs(const struct jackknife_sum *sum, uint32_t blocks);
/* The interval is that of part/whole. Where the whole itself is not told from 0, no r is ruled out:
 * then it is the plain interval of the ratio. A whole of 0 gives 0, 0. */
void jackknife_ratio_interval(const struct jackknife_sum *part, const struct jackknife_sum *whole,
                              uint32_t blocks, double ci95[2]);
/* The interval of b/a where both are positive by nature, such as a variance: that of the logarithm,
 * by any t. Bounded, and that of a/b is its inverse. -INFINITY to INFINITY where one of all is not
 * positive, or there are fewer than two blocks. */
void jackknife_positive_ratio(const struct jackknife_sum *b, const struct jackknife_sum *a,
                              uint32_t blocks, double t, double interval[2]);
/* The interval is as of jackknife_ratio_interval(), for another t than that of 95 % (student.h);
 * all numbers, -INFINITY to INFINITY, where the whole is not told from 0 by that t, or there are
 * fewer than two blocks. A part that is 0 whatever is left out is 0, surely. */
void jackknife_ratio_within(const struct jackknife_sum *part, const struct jackknife_sum *whole,
                            uint32_t blocks, double t, double interval[2]);

#endif
