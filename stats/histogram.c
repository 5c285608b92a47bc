#include "stats/histogram.h"

#include <math.h>

enum { LEAST_BINS = 8, MOST_BINS = 60 };

static uint32_t bins_wanted(size_t count)
{
    double bins = floor(4 * cbrt((double)count));
    return bins < LEAST_BINS ? LEAST_BINS : bins > MOST_BINS ? MOST_BINS : (uint32_t)bins;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t next_step(int64_t step)
{
    int64_t power = 1;
    while (step / power >= 10)
        power *= 10;
    return step / power == 1 ? 2 * power : step / power == 2 ? 5 * power : 10 * power;
}

static void set_linear(struct histogram *h, int64_t least, int64_t greatest, uint32_t most)
{
    int64_t step = 1;
    while (floor_divide(greatest, step) - floor_divide(least, step) + 1 > (int64_t)most)
        step = next_step(step);
    int64_t first = floor_divide(least, step);
    h->bin_count = (uint32_t)(floor_divide(greatest, step) - first + 1);
    for (uint32_t i = 0; i <= h->bin_count; i++)
        h->edges[i] = (first + i) * step;
}

/* The k-th edge of those that lie `m` to a factor of ten. */
static int64_t log_edge(int64_t k, int64_t m)
{
    double edge = round(pow(10, (double)k / (double)m));
    return k < 0 ? 0 : edge < 0x1p63 ? (int64_t)edge : INT64_MAX;
}

/* The result is false if the bins are more than `most`, and more than HISTOGRAM_BINS would hold. */
static bool set_logarithmic(struct histogram *h, int64_t least, int64_t greatest, int64_t m,
                            uint32_t most)
{
    int64_t k = least < 1 ? -1 : (int64_t)floor(log10((double)least) * (double)m);
    while (k >= 0 && log_edge(k, m) > least)
        k--;
    while (log_edge(k + 1, m) <= least)
        k++;
    h->bin_count = 0;
    for (h->edges[0] = log_edge(k, m); h->edges[h->bin_count] <= greatest; k++) {
        int64_t edge = log_edge(k + 1, m);
        if (edge == h->edges[h->bin_count])
            continue;
        if (h->bin_count == most)
            return false;
        h->edges[++h->bin_count] = edge;
    }
    return true;
}

static void set_edges(struct histogram *h, int64_t least, int64_t greatest, size_t count)
{
    static const int64_t to_ten[] = {100, 50, 40, 30, 20, 15, 10, 8, 6, 5, 4, 3, 2, 1};
    enum { CHOICES = sizeof to_ten / sizeof *to_ten };
    h->logarithmic = least >= 0 && greatest / HISTOGRAM_WIDE >= (least > 1 ? least : 1);
    if (!h->logarithmic) {
        set_linear(h, least, greatest, bins_wanted(count));
        return;
    }
    for (uint32_t i = 0; i < CHOICES; i++)
        if (set_logarithmic(h, least, greatest, to_ten[i],
                            i + 1 < CHOICES ? bins_wanted(count) : HISTOGRAM_BINS))
            return;
}

void histogram_build(struct histogram *histogram, const int64_t *sorted, size_t count)
{
    *histogram = (struct histogram){0};
    if (!count)
        return;
    set_edges(histogram, sorted[0], sorted[count - 1], count);
    uint32_t bin = 0;
    for (size_t i = 0; i < count; i++) {
        while (sorted[i] >= histogram->edges[bin + 1])
            bin++;
        histogram->counts[bin]++;
    }
}

/* The bin is the last whose lower edge is not above the value. */
void histogram_count(struct histogram *histogram, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t low = 0, high = histogram->bin_count;
        while (high - low > 1) {
            uint32_t middle = (low + high) / 2;
            *(values[i] >= histogram->edges[middle] ? &low : &high) = middle;
        }
        histogram->counts[low]++;
    }
}
