#include "stats/exact_moments.h"

#include "stats/wide.h"

void exact_moments_add(struct exact_moments *m, int64_t x)
{
    m->n++;
    m->sum += x;
    m->square += (__int128)x * x;
}

double exact_moments_mean(const struct exact_moments *m)
{
    return exact_mean(m->n, m->sum);
}

double exact_moments_variance(const struct exact_moments *m)
{
    return exact_variance(m->n, m->sum, m->square);
}

double exact_mean(uint64_t n, __int128 sum)
{
    return wide_ratio(wide_of(sum), wide_of(n));
}

double exact_spread(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product)
{
    __int128 scaled, cross, spread;
    if (__builtin_mul_overflow(product, (__int128)n, &scaled) ||
        __builtin_mul_overflow(sum_x, sum_y, &cross) ||
        __builtin_sub_overflow(scaled, cross, &spread))
        return wide_ratio(wide_spread(n, sum_x, sum_y, product), wide_of(1));
    return (double)spread;
}

double exact_covariance(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product)
{
    return wide_ratio(wide_spread(n, sum_x, sum_y, product), wide_product(n, n));
}

double exact_variance(uint64_t n, __int128 sum, __int128 square)
{
    return exact_covariance(n, sum, sum, square);
}
