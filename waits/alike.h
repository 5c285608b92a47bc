/* alike.h - are the threads of a group alike in what they wait for? Those that surely differ, and by much, are
 * parts of their own.
 *
 *     windows      1     2     3    ...            1 and 2 wait for X, 3 for Y: two parts. Where in one window
 *     thread 1     X .6  X .5  X .6                1 has more and in another one 2 has, as drawn by lot, they
 *     thread 2     X .6  X .6  X .5                are alike
 *     thread 3     Y .6  Y .5  Y .6
 *
 * Threads of one name may have two trades: a pool that starts all by one function. A thread's profile is what
 * it waited for each group, and the rest. The group is cut in two where the means of the two differ most
 * (2-means); the parts stand if
 *     they differ by more than ALIKE_LEAST of the time: half the sum of differences of the profiles; and
 *     a permutation test at ALIKE_LEVEL tells them apart: in each window of time the profiles are dealt to the
 *     threads anew, and the sum over threads of (a thread's sum over windows, less the mean)^2, over that of
 *     the single windows, is seldom as large. So a thread that had its turn once is no other thread.
 * Windows are dealt in blocks that are longer than the waits: one that goes through several is no more than one
 * observation. Where the run has too few such blocks, nothing surely differs, and the group stays whole.
 * wPerf merges what is similar by more than 0.45, and what that is similar to: of a row of threads the first
 * and the last one may have nothing in common.
 */
#ifndef WAITS_ALIKE_H
#define WAITS_ALIKE_H

#include "waits/cascade.h"

#define ALIKE_LEAST 0.2 /* as an edge that is worth a look (the paper's); chosen */
#define ALIKE_LEVEL 0.01
#define ALIKE_BLOCK_WAITS 2 /* so many waits long is a block at least (chosen) */
#define ALIKE_BLOCKS 5u     /* with fewer, nothing is sure (chosen) */
#define ALIKE_PARTS 8u      /* of a group, at the most */

/* By vertex: the part of its group, 0 to ALIKE_PARTS-1; the first one is 0. `tested`, by group. */
void alike_find(uint32_t *part_of, const struct cascade *cascade, const uint32_t *group_of,
                uint32_t group_count, const bool *tested);

#endif
