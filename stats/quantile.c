#include "stats/quantile.h"

double quantile_sorted(const int64_t *sorted, size_t count, double q)
{
    if (!count)
        return 0;
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return (double)sorted[count - 1];
    double step = (double)(sorted[below + 1] - sorted[below]);
    return (double)sorted[below] + (position - (double)below) * step;
}
