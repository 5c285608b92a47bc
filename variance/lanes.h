/* lanes.h - columns of 64-bit numbers, several rows at a time, as the processor at hand does it.
 *
 *     const struct lanes *lanes = lanes_at(0);            the fastest
 *     lanes->move(parent, child, steps);                  parent[r] += child[r]; child[r] = 0
 *     lanes->multiply(x, products, count, steps);         *products[i].total += x[0] * column[0] +
 * ...
 *
 * A column begins with a line of memory, and has LANES * steps numbers, 1 to LANES_MOST_STEPS.
 * `multiply` is for numbers below 2^32 and sums below 2^64, lanes_multiply_wide for those of a wide
 * sum. No state.
 */
#ifndef VARIANCE_LANES_H
#define VARIANCE_LANES_H

#include <stdint.h>

enum { LANES = 8, LANES_MOST_STEPS = 8 };

/* Of a column with the one at hand; where the sum of their products goes. */
struct lanes_product {
    const uint64_t *column;
    __int128 *total;
};

struct lanes {
    const char *name;
    void (*move)(uint64_t *to, uint64_t *from, uint32_t steps);
    void (*multiply)(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                     uint32_t steps);
};

/* The fastest way that this processor has, the next, ... or NULL. All give the same. */
const struct lanes *lanes_at(uint32_t place);

void lanes_multiply_wide(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                         uint32_t steps);

#endif
