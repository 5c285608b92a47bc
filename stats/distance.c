#include "stats/distance.h"

#include <math.h>

double distance_moved(const double *a, const double *b, size_t count)
{
    double moved = 0;
    for (size_t i = 0; i < count; i++)
        moved += fabs(a[i] - b[i]) / (double)count;
    return moved;
}

double distance_steps(const double *a, const double *b, size_t count)
{
    size_t i = 0, j = 0;
    double most = 0;
    while (i < count && j < count) {
        double x = fmin(a[i], b[j]);
        while (i < count && a[i] <= x)
            i++;
        while (j < count && b[j] <= x)
            j++;
        most = fmax(most, fabs((double)i - (double)j));
    }
    return count ? most / (double)count : 0;
}
