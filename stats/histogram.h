/* histogram.h - how many numbers lie where, in bins between whole numbers that people can read.
 *
 *     int64_t sorted[] = {103, 104, 104, 109, 127};
 *     histogram_build(&h, sorted, 5)          linear, steps of 5:
 *
 *     edges   100   105   110   115   120   125   130
 *     counts      3     1     0     0     0     1          edges[i] <= x < edges[i + 1]
 *
 * Linear: edges are multiples of 1, 2 or 5 times a power of ten. Logarithmic, where the greatest is
 * HISTOGRAM_WIDE times the least or more: edges are 10^(k/m) to the nearest whole number, m bins to
 * a factor of ten (equal ones are left out; one that is 0 stands for all below 1). The finest bins
 * of which there are at most 4 times the cube root of the count, and 8 to 60. A value; no numbers,
 * no bins.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_BINS = 64, HISTOGRAM_WIDE = 5 };

struct histogram {
    bool logarithmic;
    uint32_t bin_count;
    int64_t edges[HISTOGRAM_BINS + 1]; /* ascending; bin_count + 1 of them */
    uint64_t counts[HISTOGRAM_BINS];
};

/* The numbers are ascending, and lie between -2^62 and 2^62. */
void histogram_build(struct histogram *histogram, const int64_t *sorted, size_t count);
/* Counts other numbers, in any order, into the bins that are there; all must lie within them. */
void histogram_count(struct histogram *histogram, const int64_t *values, size_t count);

#endif
