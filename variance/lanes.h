/* lanes.h - products of a few numbers with each other, several at a time by processors that can.
 *
 *     x       120  40  0  80            x[0] .. x[count - 1]
 *     added   rows[1][0] += 40*120;  rows[3][0] += 80*120;  rows[3][1] += 80*40
 *
 * Numbers are below 2^32, and what is added up is below 2^64.
 */
#ifndef VARIANCE_LANES_H
#define VARIANCE_LANES_H

#include <stddef.h>
#include <stdint.h>

enum { LANES = 4 };

/* A row has room for a multiple of LANES, and so has x, with 0 behind the last one; what is behind
 * a row's last product may be overwritten. */
static inline size_t lanes_room(size_t count)
{
    return (count + LANES - 1) / LANES * LANES;
}

struct lanes {
    const char *name;
    /* Row i stands at sums + at[i]. */
    void (*add_products)(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t count);
};

/* 0: the fastest that this processor has, 1, ...: others; NULL: there are no more. */
const struct lanes *lanes_at(uint32_t place);

#endif
