/* lanes.h - sums over eight numbers and their products, several at a time by processors that can.
 *
 *     x            120  40  0  80  0  0  0  0
 *     rows of sums, eight each, to which is added
 *       SUM        x[i]
 *       SQUARE     x[i] * x[i]
 *       LATENCY    x[i] * latency
 *       ABOVE      x[i] * above
 *       TURN + k   x[i] * x[(i + k + 1) % 8]      k from 0 to 3: each pair is in one of them
 *
 * Numbers are below 2^32, and what is added up is below 2^64. x and sums begin where a line of 64
 * bytes does.
 */
#ifndef VARIANCE_LANES_H
#define VARIANCE_LANES_H

#include <stdint.h>

enum { LANES = 8 };
enum lanes_row {
    LANES_SUM,
    LANES_SQUARE,
    LANES_LATENCY,
    LANES_ABOVE,
    LANES_TURN,
    LANES_ROWS = LANES_TURN + LANES / 2
};

/* Eight numbers, which are 0 once they are added, and where to. */
struct lanes_group {
    uint64_t *sums, *x;
    uint64_t above;
};

struct lanes {
    const char *name;
    void (*add)(const struct lanes_group *groups, uint32_t count, uint64_t latency);
    /* Row k, of eight, is x[i] * y[(i + k) % 8]. */
    void (*add_pairs)(uint64_t *sums, const uint64_t *x, const uint64_t *y);
};

/* The product of x[i] and x[j] is there, i < j. */
static inline uint32_t lanes_pair(uint32_t i, uint32_t j)
{
    uint32_t turn = j - i <= LANES / 2 ? j - i : LANES - (j - i);
    return (LANES_TURN + turn - 1) * LANES + (turn == j - i ? i : j);
}

/* The product of x[i] and y[j] is there. */
static inline uint32_t lanes_pair_of(uint32_t i, uint32_t j)
{
    return (j + LANES - i) % LANES * LANES + i;
}

/* The number 0 gives the fastest that this processor has, 1, ... give others; NULL: there are no
 * more. */
const struct lanes *lanes_at(uint32_t place);

#endif
