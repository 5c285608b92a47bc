/* distance.h - how far two distributions are apart, from equally many quantiles of each.
 *
 *     double a[] = {1, 2, 3, 4}, b[] = {1, 2, 3, 8};
 *     distance_moved(a, b, 4)        1: what has to be moved how far, per one of the mass
 *     distance_steps(a, b, 4)        0.25: the largest difference of the distribution functions
 *
 * The first is Wasserstein's (the earth mover's), in the unit of the numbers; the second is
 * Kolmogorov and Smirnov's, whatever the unit. Both arrays ascend. No quantiles: 0.
 */
#ifndef STATS_DISTANCE_H
#define STATS_DISTANCE_H

#include <stddef.h>

double distance_moved(const double *a, const double *b, size_t count);
double distance_steps(const double *a, const double *b, size_t count);

#endif
