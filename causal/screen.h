/* screen.h - which of many targets are worth a curve: those that cannot bring much are left out, half of them at a
 * time.
 *
 *     causal_screen_rounds(11, 3)                2: of 11 targets 6 are left, then 3
 *     causal_screen_bound(&samples)              what a target brings at least, as experiments so far have it
 *     uint32_t left = causal_screen_halve(targets, bounds, 11, 3);    targets[0 .. left - 1] stay
 *
 * Sequential halving (Karnin, Koren and Somekh, ICML 2013): each round has the same part of the time, so that those
 * that are left are looked at the longer. Each experiment is of no delay or of CAUSAL_SCREEN_LEVEL. The best of many
 * looks better than it is: what is told of those that stay is of other experiments.
 */
#ifndef CAUSAL_SCREEN_H
#define CAUSAL_SCREEN_H

#include "causal/effect.h"

enum { CAUSAL_SCREEN_KEEP = 3 }; /* so many are looked at closely (chosen) */
#define CAUSAL_SCREEN_LEVEL 0.75
/* A bound misses what a target brings with this probability, to choose by (chosen). */
#define CAUSAL_SCREEN_OUTSIDE 0.2

uint32_t causal_screen_rounds(uint32_t targets, uint32_t keep);
/* So many stay of a round: half, but not fewer than `keep`. */
uint32_t causal_screen_left(uint32_t targets, uint32_t keep);
/* The logarithm of the rate, the mean, the standard deviation, the median or the p99: by how much it gets
 * better at least, of whichever does most. The last level is compared with the first one. Without `rate` that is left out. */
double causal_screen_bound(const struct causal_samples *samples, bool rate);
/* Those of the highest bounds come to the front, in the order of these. */
uint32_t causal_screen_halve(uint32_t *targets, const double *bounds, uint32_t count,
                             uint32_t keep);

#endif
