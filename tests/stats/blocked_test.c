/* Estimates without each block, worked out by hand. */
#include "stats/blocked.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-9 * fabs(expected))
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

static void borders(void)
{
    struct blocks even = blocks_even(10, 4);
    const size_t first[] = {0, 3, 5, 8, 10};
    for (uint32_t b = 0; b <= even.count; b++)
        expect("border", (double)even.first[b], (double)first[b]);
    for (size_t i = 0; i < 10; i++) {
        uint32_t block = jackknife_block(i, 10, 4);
        expect("as jackknife_block", even.first[block] <= i && i < even.first[block + 1], 1);
    }
}

/* 1 2 6 | 3 8: all have mean 4 and variance (1+4+36+9+64)/5 - 16 = 6.8; without the first block it
 * is 5.5 and 36.5 - 30.25 = 6.25, without the second 3 and 41/3 - 9 = 14/3. With y = 0 1 0 | 1 1:
 * Cov = (2+3+8)/5 - 4*0.6 = 0.2; 11/2 - 5.5*1 = 0; 2/3 - 3/3 = -1/3. */
static void moments(void)
{
    const int64_t x[] = {1, 2, 6, 3, 8}, y[] = {0, 1, 0, 1, 1};
    struct blocks blocks = {2, {0, 3, 5}};
    struct jackknife_sum mean = {0}, variance = {0}, twice = {.all = 1};
    blocked_mean(x, &blocks, &mean);
    expect("mean", mean.all, 4);
    expect("mean without the first", mean.left_out[0], 5.5);
    expect("mean without the second", mean.left_out[1], 3);
    blocked_covariance(x, x, &blocks, 1, &variance);
    expect("variance", variance.all, 6.8);
    expect("variance without the first", variance.left_out[0], 6.25);
    expect("variance without the second", variance.left_out[1], 14 / 3.0);
    blocked_covariance(x, y, &blocks, 2, &twice);
    expect("added: 1 + 2 * 0.2", twice.all, 1.4);
    expect("2 * -1/3", twice.left_out[1], -2 / 3.0);
}

/* 0 10 20 ... 1000, those of an even number of tens in the first block. The median is 500: of the
 * 51 and 50 of the blocks 26 and 25 are no greater than it, of all 51 of 101, so that the first
 * block has 26 - 51 * 51/101 = 25/101 more than its part. Quantiles rise by 1000 for one of
 * probability. */
static void quantiles(void)
{
    int64_t values[101], sorted[101];
    size_t at = 0;
    for (int64_t i = 0; i <= 100; i += 2)
        values[at++] = i * 10;
    for (int64_t i = 1; i <= 100; i += 2)
        values[at++] = i * 10;
    for (int64_t i = 0; i <= 100; i++)
        sorted[i] = i * 10;
    struct blocks blocks = {2, {0, 51, 101}};
    struct jackknife_sum median;
    struct quantile_reach reach;
    blocked_quantile(values, sorted, &blocks, 0.5, &median, &reach);
    expect("median", median.all, 500);
    /* A standard error of sqrt(0.25 / 101) at the least; 1000 for one of probability. */
    expect("itself", reach.above[0], 500);
    expect("one error above", reach.above[8], 500 + 1000 * sqrt(0.25 / 101));
    expect("two below", reach.below[16], 500 - 2000 * sqrt(0.25 / 101));
    expect("without the even", median.left_out[0], 500 + 25 / 101.0 / 50 * 1000);
    expect("without the odd", median.left_out[1], 500 - 25 / 101.0 / 51 * 1000);
    for (int i = 0; i < 101; i++) /* two heaps, the median just in the first */
        sorted[i] = values[i] = i < 52 ? 7 : 700;
    blocked_quantile(values, sorted, &blocks, 0.5, &median, &reach);
    expect("of the first heap", median.all, 7);
    expect("may be of the second", reach.above[8], 700);
    for (int i = 0; i < 101; i++)
        values[i] = sorted[i] = 7;
    blocked_quantile(values, sorted, &blocks, 0.9, &median, &reach);
    expect("of equals", median.all, 7);
    expect("of equals, without some", median.left_out[1], 7);
}

int main(void)
{
    borders();
    moments();
    quantiles();
    printf("%d failed\n", failures);
    return failures != 0;
}
