/* growth.h - how the time of something grows with the size of what is worked on.
 *
 *     size      5,000   10,000   20,000
 *     look_up   0.047    0.197    0.866 s           T ~ size^2.1: twice the size takes four times as long
 *
 *     struct growth growth;
 *     if (growth_fit(&growth, points, 3)) growth.exponent, growth.ci95
 *     double rank = growth_rank(&growth, share);
 *
 * The fit is log T = a + b log n by least squares, as of input-sensitive profilers (Goldsmith and others,
 * ESEC/FSE'07; Coppa and others, PLDI'12). Where the errors of all times are known, a point weighs
 * 1 / (error / time)^2, and the error of b is what follows from them, or from how far the points are
 * off the line if that is more. Else it is from the latter, with Student's t for two points less.
 *
 * n log n is no power: between 10^3 and 10^6 it is fitted by about 1.1. What grows faster than it
 * should is the fault, although something else may take longer now: things are ranked by the lower end
 * of b times their share at the largest size.
 */
#ifndef STACKS_GROWTH_H
#define STACKS_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

enum { GROWTH_SIZES = 3 }; /* different ones, at the least */

struct growth_point {
    double size;  /* more than 0 */
    double time;  /* in any unit */
    double error; /* standard, of the time; 0: not known */
};

struct growth {
    double exponent, error, ci95[2];
    double at_one; /* e^a: the time at size 1 */
    bool weighted; /* the errors of the times were known */
};

/* False: fewer than GROWTH_SIZES sizes have a time of more than 0. */
bool growth_fit(struct growth *growth, const struct growth_point *points, size_t count);
/* What the lower end is worth; `share` is 0 to 1. What does not grow for sure is worth nothing. */
double growth_rank(const struct growth *growth, double share);

#endif
