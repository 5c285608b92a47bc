/* effect.h - what a number of the intervals is at one level, as a part of what it is at another one.
 *
 *     struct causal_effect effect = causal_effect_of(&samples, 3, 0, CAUSAL_P99);
 *     effect.known, effect.ratio, effect.ci95        0.59, 0.48 .. 0.70: 41 % less
 *
 * All blocks together give the ratio. Its logarithm's interval is by leaving out one block at a
 * time, of both levels (Kuensch, Annals of Statistics 17(3), 1989; stats/jackknife.h). Not known: of
 * fewer blocks than CAUSAL_LEAST_BLOCKS, or fewer intervals than the quantile needs. What a delay
 * itself costs whoever waits is not chance: the interval is wider by CAUSAL_DELAY_COST of what was
 * waited (docs/measurements/causal.md).
 */
#ifndef CAUSAL_EFFECT_H
#define CAUSAL_EFFECT_H

#include "causal/causal_metric.h"
#include "causal/causal_sample.h"

/* Of fewer, Student's t is so wide that nothing is told (chosen). */
enum { CAUSAL_LEAST_BLOCKS = 10 };
/* A quantile has so many intervals beyond it at least (chosen). */
enum { CAUSAL_LEAST_BEYOND = 5 };
/* And these lie in so many blocks at least: of a queue whose windows are short, the p99 of fewer is told from itself in a
 * quarter of all cases (docs/measurements/causal.md). */
enum { CAUSAL_LEAST_BEYOND_BLOCKS = 5 };

#define CAUSAL_DELAY_COST 0.01

struct causal_effect {
    bool known;
    double ratio, ci95[2];
};

struct causal_effect causal_effect_of(const struct causal_samples *samples, uint32_t level,
                                      uint32_t against, enum causal_metric metric);
/* The same, with an interval that misses the truth with that probability. */
struct causal_effect causal_effect_within(const struct causal_samples *samples, uint32_t level,
                                          uint32_t against, enum causal_metric metric,
                                          double outside);
/* The same of as few blocks as there are, but for two: to choose by, not to tell. */
struct causal_effect causal_effect_rough(const struct causal_samples *samples, uint32_t level,
                                         uint32_t against, enum causal_metric metric,
                                         double outside);
/* The probability that chance alone brings the effect, or a larger one, in either direction. */
double causal_effect_chance(const struct causal_samples *samples, uint32_t level, uint32_t against,
                            enum causal_metric metric);
/* Half of the interval's width, as a part of what is told: 0.1 is "+-10 %"; INFINITY: not known. */
double causal_effect_width(const struct causal_effect *effect);
/* The interval does not hold 1. */
bool causal_effect_differs(const struct causal_effect *effect);
/* The number itself at a level, in ns, or ns^2; 0 where there is none. */
double causal_value(const struct causal_samples *samples, uint32_t level,
                    enum causal_metric metric);

#endif
