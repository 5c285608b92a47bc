/* Bins worked out by hand. */
#include "stats/histogram.h"

#include <inttypes.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, int64_t got, int64_t expected)
{
    if (got == expected)
        return;
    printf("%s is %" PRId64 ", expected %" PRId64 "\n", what, got, expected);
    failures++;
}

static void expect_bins(const char *what, const struct histogram *h, uint32_t count,
                        const int64_t *edges, const uint64_t *counts)
{
    expect(what, h->bin_count, count);
    for (uint32_t i = 0; i <= count && h->bin_count == count; i++)
        expect(what, h->edges[i], edges[i]);
    for (uint32_t i = 0; i < count && h->bin_count == count; i++)
        expect(what, (int64_t)h->counts[i], (int64_t)counts[i]);
}

static void test_linear(void)
{
    /* 4 * cbrt(5) is 6.8: 8 bins at the most. Steps of 2 would take 13. */
    static const int64_t few[] = {103, 104, 104, 109, 127};
    static const int64_t below[] = {-7, -1, 0, 6};
    struct histogram h;
    histogram_build(&h, few, 5);
    expect("linear", h.logarithmic, false);
    expect_bins("few", &h, 6, (int64_t[]){100, 105, 110, 115, 120, 125, 130},
                (uint64_t[]){3, 1, 0, 0, 0, 1});
    histogram_build(&h, below, 4);
    expect_bins("below 0", &h, 8, (int64_t[]){-8, -6, -4, -2, 0, 2, 4, 6, 8},
                (uint64_t[]){1, 0, 0, 1, 1, 0, 0, 1});
    histogram_build(&h, (int64_t[]){42, 42, 42}, 3);
    expect_bins("equal ones", &h, 1, (int64_t[]){42, 43}, (uint64_t[]){3});
    histogram_build(&h, NULL, 0);
    expect_bins("none", &h, 0, (int64_t[]){0}, NULL);
}

/* The bins of one set take the numbers of another: those at an edge belong above it. */
static void test_count(void)
{
    static const int64_t others[] = {129, 104, 105, 100, 110, 109};
    struct histogram h;
    histogram_build(&h, (int64_t[]){103, 104, 104, 109, 127}, 5);
    for (uint32_t i = 0; i < h.bin_count; i++)
        h.counts[i] = 0;
    histogram_count(&h, others, 6);
    expect_bins("others", &h, 6, (int64_t[]){100, 105, 110, 115, 120, 125, 130},
                (uint64_t[]){2, 2, 1, 0, 0, 1});
}

static void test_logarithmic(void)
{
    /* 8 bins at the most: 4 to a factor of ten, 10^(8/4) .. 10^(15/4). 5 to one would take 9. */
    static const int64_t wide[] = {100, 177, 178, 999, 1000, 5000};
    static const int64_t small[] = {0, 1, 2, 9, 9};
    struct histogram h;
    histogram_build(&h, wide, 6);
    expect("wide", h.logarithmic, true);
    expect_bins("wide", &h, 7, (int64_t[]){100, 178, 316, 562, 1000, 1778, 3162, 5623},
                (uint64_t[]){2, 1, 0, 1, 1, 0, 1});
    /* 10 to a factor of ten: 1 1.3 1.6 2.0 2.5 3.2 4.0 5.0 6.3 7.9 10, of which 1, 2 and 3 come
     * twice. */
    histogram_build(&h, small, 5);
    expect_bins("small", &h, 8, (int64_t[]){0, 1, 2, 3, 4, 5, 6, 8, 10},
                (uint64_t[]){1, 1, 1, 0, 0, 0, 0, 2});
}

static void test_any(void)
{
    static int64_t many[5000];
    for (int64_t greatest = 1; greatest < INT64_C(1) << 61; greatest = greatest * 3 + 1) {
        struct histogram h;
        uint64_t sum = 0;
        for (int i = 0; i < 5000; i++)
            many[i] = greatest / 5000 * i;
        many[4999] = greatest;
        histogram_build(&h, many, 5000);
        for (uint32_t i = 0; i < h.bin_count; i++) {
            expect("edges ascend", h.edges[i] < h.edges[i + 1], true);
            sum += h.counts[i];
        }
        expect("all are counted", (int64_t)sum, 5000);
        expect("the least is within", h.edges[0] <= many[0], true);
        expect("the greatest is within", h.edges[h.bin_count] > greatest, true);
        expect("no more than can be read", h.bin_count <= HISTOGRAM_BINS, true);
    }
}

int main(void)
{
    test_linear();
    test_count();
    test_logarithmic();
    test_any();
    printf("%d failed\n", failures);
    return failures != 0;
}
