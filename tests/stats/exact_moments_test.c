/* Hand-worked sets, huge offsets, n = 0, 1, 2, and parts that merge to the whole bit for bit. */
#include "stats/exact_moments.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (got == expected)
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

static struct exact_moments moments_of(const int64_t *x, size_t count)
{
    struct exact_moments m = {0};
    for (size_t i = 0; i < count; i++)
        exact_moments_add(&m, x[i]);
    return m;
}

static void few(void)
{
    struct exact_moments m = moments_of(NULL, 0);
    expect("mean of none", exact_moments_mean(&m), 0);
    expect("variance of none", exact_moments_variance(&m), 0);
    m = moments_of((int64_t[]){7}, 1);
    expect("mean of 7", exact_moments_mean(&m), 7);
    expect("variance of 7", exact_moments_variance(&m), 0);
    m = moments_of((int64_t[]){3, 8}, 2);
    expect("mean of 3, 8", exact_moments_mean(&m), 5.5);
    expect("variance of 3, 8", exact_moments_variance(&m), 6.25); /* 2.5^2 */
}

/* 1..5 ms: mean 3 ms, variance 2 ms^2; also behind an offset of 1e15, and of -1e15. */
static void offset(void)
{
    static const int64_t offsets[] = {0, 1000000000000000, -1000000000000000};
    for (size_t o = 0; o < 3; o++) {
        struct exact_moments m = {0};
        for (int64_t i = 0; i < 100; i++)
            exact_moments_add(&m, offsets[o] + (i % 5 + 1) * 1000000);
        expect("mean", exact_moments_mean(&m), (double)(offsets[o] + 3000000));
        expect("variance", exact_moments_variance(&m), 2e12);
    }
}

/* x 1 2 3 4, y 4 2 2 0: mean of products 14/4 = 3.5, of x 2.5, of y 2, so -1.5; at any offset. */
static void covariance(void)
{
    static const int64_t y[] = {4, 2, 2, 0}, big = 1000000000000000;
    struct exact_comoments m = {0}, shifted = {0}, none = {0};
    for (int64_t i = 0; i < 4; i++) {
        exact_comoments_add(&m, i + 1, y[i]);
        exact_comoments_add(&shifted, big + i + 1, y[i] - big);
    }
    expect("covariance", exact_comoments_covariance(&m), -1.5);
    expect("covariance behind an offset", exact_comoments_covariance(&shifted), -1.5);
    expect("covariance of none", exact_comoments_covariance(&none), 0);
}

/* 2^40 values, half of them 0 and half 2^41: mean 2^40, variance 2^80; n * Sxx is 2^161. */
static void overflow(void)
{
    struct exact_moments m = {.n = UINT64_C(1) << 40,
                              .sum = (__int128)1 << (39 + 41),
                              .square = (__int128)1 << (39 + 82)};
    expect("variance beyond 128 bits", exact_moments_variance(&m), ldexp(1, 80));
}

static uint64_t random_state = 42;

static int64_t random_value(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(random_state >> 20);
}

/* Whichever way 1000 values are dealt over 7 parts, and merged in whatever order. */
static void merge(void)
{
    struct exact_moments whole = {0}, part[7] = {{0}}, merged = {0};
    struct exact_comoments co_whole = {0}, co_part[7] = {{0}}, co_merged = {0};
    for (int i = 0; i < 1000; i++) {
        int64_t x = random_value(), y = random_value();
        int p = (int)(random_value() % 7);
        exact_moments_add(&whole, x);
        exact_moments_add(&part[p], x);
        exact_comoments_add(&co_whole, x, y);
        exact_comoments_add(&co_part[p], x, y);
    }
    for (int i = 0; i < 7; i++) {
        exact_moments_merge(&merged, &part[i * 3 % 7]);
        exact_comoments_merge(&co_merged, &co_part[i * 5 % 7]);
    }
    expect("merge = whole",
           merged.n == whole.n && merged.sum == whole.sum && merged.square == whole.square, 1);
    expect("co merge = whole",
           co_merged.n == co_whole.n && co_merged.sum_x == co_whole.sum_x &&
               co_merged.sum_y == co_whole.sum_y && co_merged.product == co_whole.product,
           1);
    expect("same variance", exact_moments_variance(&merged), exact_moments_variance(&whole));
}

int main(void)
{
    few();
    offset();
    covariance();
    overflow();
    merge();
    printf("%d failed\n", failures);
    return failures != 0;
}
