/* false_discovery.h - which of many findings are told, if few of what is told may be wrong.
 *
 *     double p[] = {0.001, 0.012, 0.035, 0.2, 0.6};         ascending
 *     false_discovery_told(p, 5, 0.05)                      2: 0.012 <= 2/5 * 0.05, 0.035 > 3/5 * 0.05
 *
 * The procedure of Benjamini and Hochberg (1995): the first k are told, of the largest k whose p is at
 * most k/count * rate. The part of them that is wrong is then `rate` at most in the mean, where the
 * findings are independent or rise and fall together. Where none is true, any is told with the
 * probability `rate`. No state, no errors.
 */
#ifndef STATS_FALSE_DISCOVERY_H
#define STATS_FALSE_DISCOVERY_H

#include <stddef.h>

/* The chance that all of some findings that rise and fall together come by chance (Simes, Biometrika 73, 1986): the
 * least of count/k * p of the k-th. They are sorted; of none 1. */
double false_discovery_joint(double *chances, size_t count);
size_t false_discovery_told(const double *ascending, size_t count, double rate);

#endif
