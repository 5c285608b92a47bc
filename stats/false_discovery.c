#include "stats/false_discovery.h"

#include <stdlib.h>

static int ascending_order(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

double false_discovery_joint(double *chances, size_t count)
{
    double least = 1;
    qsort(chances, count, sizeof *chances, ascending_order);
    for (size_t k = 0; k < count; k++) {
        double joint = chances[k] * (double)count / (double)(k + 1);
        least = joint < least ? joint : least;
    }
    return least;
}

size_t false_discovery_told(const double *ascending, size_t count, double rate)
{
    size_t told = count;
    while (told && ascending[told - 1] > rate * (double)told / (double)count)
        told--;
    return told;
}
