/* lanes.h - columns of 64-bit numbers, several rows at a time, as the processor at hand does it.
 *
 *     lanes_move(parent, child, steps);              parent[r] += child[r]; child[r] = 0
 *     lanes_multiply(x, products, count, steps);     *products[i].total += x[0] * column[0] + ...
 *
 * A column is LANES_ALIGNED and has LANES * steps numbers. lanes_multiply is for numbers below
 * 2^32, and sums below 2^64; lanes_multiply_wide for those of a wide sum. No state.
 */
#ifndef VARIANCE_LANES_H
#define VARIANCE_LANES_H

#include <stdint.h>

enum { LANES = 8, LANES_ALIGNED = LANES * sizeof(uint64_t) };

/* Of a column with the one at hand; where the sum of their products goes. */
struct lanes_product {
    const uint64_t *column;
    __int128 *total;
};

void lanes_move(uint64_t *to, uint64_t *from, uint32_t steps);
void lanes_multiply(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                    uint32_t steps);
void lanes_multiply_wide(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                         uint32_t steps);

#endif
