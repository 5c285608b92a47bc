/* regression.h - how much of a variance the best linear fit on several variables explains.
 *
 *     double correlation[] = {1, 0.5, 0.5, 1};                of x0 and x1
 *     regression_explained(2, correlation, (double[]){0.6, 0.6})          0.48
 *
 * R^2 = r' C^-1 r, where C are the correlations of the x with each other and r those with y. By
 * Cholesky factors, one x after the other; an x that those before it determine adds nothing. The
 * result is within 0 and 1.
 */
#ifndef STATS_REGRESSION_H
#define STATS_REGRESSION_H

#include <stdint.h>

#define REGRESSION_MOST 8u

/* The correlation of i and j is correlation[i * count + j]; count <= REGRESSION_MOST. */
double regression_explained(uint32_t count, const double *correlation, const double *with_y);

#endif
