#include "stats/regression.h"

#include <math.h>

#define DETERMINED 1e-9 /* of the variance of an x is left by those before it: rounding */

double regression_explained(uint32_t count, const double *correlation, const double *with_y)
{
    double factor[REGRESSION_MOST][REGRESSION_MOST] = {0}, part[REGRESSION_MOST] = {0}, sum = 0;
    for (uint32_t i = 0; i < count && i < REGRESSION_MOST; i++) {
        double left = correlation[i * count + i], with = with_y[i];
        for (uint32_t j = 0; j < i; j++) {
            double cross = correlation[i * count + j];
            for (uint32_t k = 0; k < j; k++)
                cross -= factor[i][k] * factor[j][k];
            factor[i][j] = factor[j][j] > 0 ? cross / factor[j][j] : 0;
            left -= factor[i][j] * factor[i][j];
            with -= factor[i][j] * part[j];
        }
        if (left < DETERMINED)
            continue;
        factor[i][i] = sqrt(left);
        part[i] = with / factor[i][i];
        sum += part[i] * part[i];
    }
    return fmin(sum, 1);
}
