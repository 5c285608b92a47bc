/* drawn.h - times drawn from distributions of which the variance is known.
 *
 *     struct drawn source = {.shape = DRAWN_EXPONENTIAL, .scale_ns = 4e5};
 *     drawn_start(&source, seed);
 *     double x_ns = drawn_next(&source);      the true variance is drawn_variance(&source)
 *
 * With a persistence of 0.6 what follows is like what was: the normal numbers behind the draws are
 * those of an AR(1) series, whose margins stay as they are.
 */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include <stdint.h>

enum drawn_shape {
    DRAWN_NORMAL,
    DRAWN_EXPONENTIAL,
    DRAWN_LOGNORMAL, /* sigma 0.5 */
    DRAWN_LONG_TAIL, /* lognormal, sigma 1: kurtosis 114 */
    DRAWN_RARE       /* 0, or in one of twenty cases ten times the scale */
};

struct drawn {
    enum drawn_shape shape;
    double scale_ns;
    double persistence;
    double normal; /* the last */
    uint64_t state;
};

void drawn_start(struct drawn *source, uint64_t seed);
double drawn_next(struct drawn *source);
double drawn_variance(const struct drawn *source);
/* 0 <= x < limit; moves the state on. */
uint32_t drawn_below(uint64_t *state, uint32_t limit);

#endif
