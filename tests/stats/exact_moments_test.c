/* Hand-worked sets, huge offsets, n = 0, 1, 2, sums beyond 128 bits. */
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
    __int128 product = 0, shifted = 0;
    for (int64_t i = 0; i < 4; i++) {
        product += (__int128)(i + 1) * y[i];
        shifted += (__int128)(big + i + 1) * (y[i] - big);
    }
    expect("covariance", exact_covariance(4, 10, 8, product), -1.5);
    expect("covariance behind an offset",
           exact_covariance(4, 10 + 4 * (__int128)big, 8 - 4 * (__int128)big, shifted), -1.5);
    expect("covariance of none", exact_covariance(0, 0, 0, 0), 0);
    expect("spread", exact_spread(4, 10, 8, product), -24);
}

/* 2^40 values, half of them 0 and half 2^41: mean 2^40, variance 2^80; n * Sxx is 2^161. */
static void overflow(void)
{
    struct exact_moments m = {.n = UINT64_C(1) << 40,
                              .sum = (__int128)1 << (39 + 41),
                              .square = (__int128)1 << (39 + 82)};
    expect("variance beyond 128 bits", exact_moments_variance(&m), ldexp(1, 80));
}

int main(void)
{
    few();
    offset();
    covariance();
    overflow();
    printf("%d failed\n", failures);
    return failures != 0;
}
