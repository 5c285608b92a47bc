#include "stats/jackknife.h"

#include <math.h>

/* 97.5 % quantile of Student's t with 1, 2, ... degrees of freedom. */
static const double student_t[JACKKNIFE_BLOCKS - 1] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};

uint32_t jackknife_block(size_t index, size_t count, uint32_t blocks)
{
    return (uint32_t)((unsigned __int128)index * blocks / count);
}

uint32_t jackknife_block_count(size_t count)
{
    return count < JACKKNIFE_BLOCKS ? (uint32_t)count : JACKKNIFE_BLOCKS;
}

static double jackknife_error(const double *left_out, uint32_t blocks)
{
    double mean = 0, squares = 0;
    for (uint32_t b = 0; b < blocks; b++)
        mean += left_out[b] / blocks;
    for (uint32_t b = 0; b < blocks; b++)
        squares += (left_out[b] - mean) * (left_out[b] - mean);
    return sqrt(squares * (blocks - 1) / blocks);
}

void jackknife_interval(const double *left_out, uint32_t blocks, double estimate, double ci95[2])
{
    double half = 0;
    if (blocks >= 2 && blocks <= JACKKNIFE_BLOCKS)
        half = student_t[blocks - 2] * jackknife_error(left_out, blocks);
    ci95[0] = estimate - half;
    ci95[1] = estimate + half;
}
