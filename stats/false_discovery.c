#include "stats/false_discovery.h"

size_t false_discovery_told(const double *ascending, size_t count, double rate)
{
    size_t told = count;
    while (told && ascending[told - 1] > rate * (double)told / (double)count)
        told--;
    return told;
}
