/* unit_change.h - by how much two sides differ in something per unit, and how sure that is.
 *
 *     own     3 4 3 | 5 4      by block, of a side; the bar parts two runs
 *     units   1 1 1 | 1 1
 *
 *     struct unit_change change = unit_change_of(&a, &b, 20, 3);
 *     change.change -+ change.half                                        with 95 %
 *
 * A side's value is the sum of what it took over the sum of its units. Its error is the jackknife's
 * (stats/jackknife.h), of blocks if both sides have as many as is asked for, of runs likewise. Sides
 * are independent: the squares of their errors add up, and t has the degrees of freedom of the side
 * with fewer parts, at which Welch's never are. Of blocks and runs, the wider interval counts: blocks
 * of one run do not see what differs from run to run. No state.
 */
#ifndef STACKS_UNIT_CHANGE_H
#define STACKS_UNIT_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

struct unit_side {
    const double *own, *units; /* by block */
    uint32_t blocks;
    const uint32_t *run_of_block; /* ascending; NULL: it is one run */
};

struct unit_change {
    double own[2];      /* a unit */
    double change;      /* b's less a's */
    double error, half; /* standard; of the 95 % interval: infinite where nothing is known */
    double p;           /* of no change; 1 where nothing is known */
    bool sure;          /* there were enough blocks or runs */
    uint32_t parts;     /* of a side: what the error is of */
};

struct unit_change unit_change_of(const struct unit_side *a, const struct unit_side *b,
                                  uint32_t least_blocks, uint32_t least_runs);
/* Its standard error is at least so much, as is known otherwise: parts may be alike by chance. */
void unit_change_widen(struct unit_change *change, double error);

#endif
