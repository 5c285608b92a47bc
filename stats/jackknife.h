/* jackknife.h - how sure an estimate from a series is: block jackknife.
 *
 *   series  |--block 0--|--block 1--| ... |--block B-1--|     in order of time
 *
 * Leave each block out in turn and estimate from the rest: left_out[b]. Blocks keep neighbours in
 * time together, so that what drifts or comes in bursts widens the interval as it should.
 *     se^2 = (B-1)/B * sum (left_out[b] - mean)^2,   interval = estimate -+ t(B-1) * se
 * (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 11). Fewer than two blocks give
 * an interval of no width.
 */
#ifndef STATS_JACKKNIFE_H
#define STATS_JACKKNIFE_H

#include <stddef.h>
#include <stdint.h>

#define JACKKNIFE_BLOCKS 20u /* at the most */

/* The block of element `index` of `count`; sizes differ by one at the most. */
uint32_t jackknife_block(size_t index, size_t count, uint32_t blocks);
uint32_t jackknife_block_count(size_t count); /* min(count, JACKKNIFE_BLOCKS) */
void jackknife_interval(const double *left_out, uint32_t blocks, double estimate, double ci95[2]);

#endif
