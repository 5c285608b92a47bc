#include "stats/jackknife.h"

#include <math.h>

/* The numbers are the 97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom. */
static const double student_t[JACKKNIFE_BLOCKS - 1] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};

uint32_t jackknife_block(size_t index, size_t count, uint32_t blocks)
{
    return (uint32_t)((unsigned __int128)index * blocks / count);
}

/* The least i with i * blocks >= block * count. */
size_t jackknife_first(uint32_t block, size_t count, uint32_t blocks)
{
    return (size_t)(((unsigned __int128)block * count + blocks - 1) / blocks);
}

uint32_t jackknife_block_count(size_t count)
{
    return count < JACKKNIFE_BLOCKS ? (uint32_t)count : JACKKNIFE_BLOCKS;
}

/* The result is (B-1)/B * sum of products of the deviations from the means. */
static double jackknife_covariance(const double *x, const double *y, uint32_t blocks)
{
    double mean_x = 0, mean_y = 0, products = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        mean_x += x[b] / blocks;
        mean_y += y[b] / blocks;
    }
    for (uint32_t b = 0; b < blocks; b++)
        products += (x[b] - mean_x) * (y[b] - mean_y);
    return products * (blocks - 1) / blocks;
}

static bool jackknife_enough(uint32_t blocks)
{
    return blocks >= 2 && blocks <= JACKKNIFE_BLOCKS;
}

double jackknife_error(const double *left_out, uint32_t blocks)
{
    return jackknife_enough(blocks) ? sqrt(jackknife_covariance(left_out, left_out, blocks)) : 0;
}

void jackknife_interval(const double *left_out, uint32_t blocks, double estimate, double ci95[2])
{
    double half = 0;
    if (jackknife_enough(blocks))
        half = student_t[blocks - 2] * jackknife_error(left_out, blocks);
    ci95[0] = estimate - half;
    ci95[1] = estimate + half;
}

bool jackknife_differs(const struct jackknife_sum *sum, uint32_t blocks)
{
    double ci95[2];
    jackknife_interval(sum->left_out, blocks, sum->all, ci95);
    return jackknife_enough(blocks) && (ci95[0] > 0 || ci95[1] < 0);
}

static void plain_ratio_interval(const struct jackknife_sum *part,
                                 const struct jackknife_sum *whole, uint32_t blocks, double ci95[2])
{
    double left_out[JACKKNIFE_BLOCKS];
    for (uint32_t b = 0; b < blocks && b < JACKKNIFE_BLOCKS; b++)
        left_out[b] = whole->left_out[b] != 0 ? part->left_out[b] / whole->left_out[b] : 0;
    jackknife_interval(left_out, blocks, whole->all != 0 ? part->all / whole->all : 0, ci95);
}

/* The bounds solve (part - r*whole)^2 = t^2 var(part - r*whole), ordered by powers of r: a r^2 - 2
 * b r + c = 0. In parts of the whole, so that nothing overflows. */
void jackknife_ratio_within(const struct jackknife_sum *part, const struct jackknife_sum *whole,
                            uint32_t blocks, double t, double interval[2])
{
    interval[0] = -INFINITY;
    interval[1] = INFINITY;
    if (!jackknife_enough(blocks) || whole->all == 0)
        return;
    double x[JACKKNIFE_BLOCKS], y[JACKKNIFE_BLOCKS], ratio = part->all / whole->all;
    for (uint32_t i = 0; i < blocks; i++) {
        x[i] = part->left_out[i] / whole->all;
        y[i] = whole->left_out[i] / whole->all;
    }
    double spread = jackknife_covariance(x, x, blocks);
    if (ratio == 0 && spread == 0) {
        interval[0] = interval[1] = 0;
        return;
    }
    double a = 1 - t * t * jackknife_covariance(y, y, blocks);
    double b = ratio - t * t * jackknife_covariance(x, y, blocks);
    double c = ratio * ratio - t * t * spread;
    double root = sqrt(fmax(b * b - a * c, 0)); /* below 0 by rounding alone */
    if (a <= 0)
        return;
    interval[0] = (b - root) / a;
    interval[1] = (b + root) / a;
}

/* The logarithm is that of the ratio of what is left to all. Below a tenth it is the tangent: a
 * quantile that was made linear can be below 0. */
static double jackknife_log(double ratio)
{
    return ratio >= 0.1 ? log(ratio) : log(0.1) + (ratio - 0.1) / 0.1;
}

void jackknife_positive_ratio(const struct jackknife_sum *b, const struct jackknife_sum *a,
                              uint32_t blocks, double t, double interval[2])
{
    double apart[JACKKNIFE_BLOCKS];
    interval[0] = -INFINITY;
    interval[1] = INFINITY;
    if (!jackknife_enough(blocks) || a->all <= 0 || b->all <= 0)
        return;
    for (uint32_t i = 0; i < blocks; i++)
        apart[i] = jackknife_log(b->left_out[i] / b->all) - jackknife_log(a->left_out[i] / a->all);
    double half = t * sqrt(jackknife_covariance(apart, apart, blocks));
    interval[0] = b->all / a->all * exp(-half);
    interval[1] = b->all / a->all * exp(half);
}

void jackknife_ratio_interval(const struct jackknife_sum *part, const struct jackknife_sum *whole,
                              uint32_t blocks, double ci95[2])
{
    ci95[0] = ci95[1] = 0;
    if (whole->all == 0)
        return;
    if (jackknife_differs(whole, blocks))
        jackknife_ratio_within(part, whole, blocks, student_t[blocks - 2], ci95);
    else
        plain_ratio_interval(part, whole, blocks, ci95);
}
