/* curve.h - how a number falls with the target's time: straight, or up to where something else takes over.
 *
 *     ratio 1 |\                      slope: what a first hundredth brings
 *             | \
 *             |  \______              kink: from here on it brings less, or nothing
 *             +--------------
 *             0     0.3      1        part of the target's time that is gone
 *
 * A program of fixed dependencies takes as long as the longest of its paths, each a linear function of
 * the target's time: the curve is convex, falls, and has a kink wherever another path becomes the
 * longest. Of all convex curves of up to CURVE_KINKS kinks through (0, 1) that is taken which the
 * points speak for: a kink more has to make the sum of squares smaller by CURVE_WORTH, the points
 * weighted by their errors.
 */
#ifndef CAUSAL_CURVE_H
#define CAUSAL_CURVE_H

#include <stdbool.h>
#include <stdint.h>

enum { CURVE_KINKS = 2, CURVE_MOST_POINTS = 16 };
/* Two numbers more are fitted with each kink: the chi-squared of 2 is above 6 once in 20 times. */
#define CURVE_WORTH 6.0

struct curve_point {
    double x, y; /* 0 < x <= 1, ascending */
    double error;
};

/* A kink lies between the two points about it where that is all that is known: before the first
 * point. */
struct curve_kink {
    double from, to;
};

struct curve {
    uint32_t pieces;                /* straight ones; 0: there are no points */
    double slopes[CURVE_KINKS + 1]; /* of these: change of y by x */
    struct curve_kink kinks[CURVE_KINKS];
    double end; /* at the last point */
};

struct curve curve_fit(const struct curve_point *points, uint32_t count);
/* The curve's value. */
double curve_at(const struct curve *curve, double x);

#endif
