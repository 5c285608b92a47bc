/* quantile.h - a quantile of sorted numbers, with linear interpolation.
 *
 *     quantile_sorted((int64_t[]){10, 20, 40}, 3, 0.75)   30: halfway between 20 and 40
 *
 * Hyndman and Fan's type 7 (as in R and NumPy): position q*(n-1) counted from 0. n = 0 gives 0.
 */
#ifndef STATS_QUANTILE_H
#define STATS_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

double quantile_sorted(const int64_t *sorted, size_t count, double q); /* 0 <= q <= 1 */

#endif
