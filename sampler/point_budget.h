/* point_budget.h - what watching measured calls may take of the program, and what is given up where it takes more.
 *
 *     struct point_budget budget;
 *     point_budget_init(&budget, &plan, clock_ns());
 *     point_budget_take(&budget, point);                          a hit
 *     while (point_budget_over(&budget, now_ns, &point)) ...      no hits of this point any more
 *
 * The time that may be taken grows with the time that passes, by the plan's share, and is kept up to
 * POINT_BUDGET_FREE_NS. Each hit takes what one was measured to take (below). Where nothing is left, the
 * function that took most lately gives up its returns, which cost most and tell lengths; if it has none
 * any more, its entries. Then there is as much to be taken as at first: of n functions no more than
 * (2 n + 1) POINT_BUDGET_FREE_NS are taken beside the share, and what the recorder learns late.
 * Other points than those of measured calls are not counted. Pure.
 */
#ifndef SAMPLER_POINT_BUDGET_H
#define SAMPLER_POINT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/point_plan.h"

/* Of hits, in a virtual machine on AMD, where single steps are dear: docs/measurements/proof.md. */
#define POINT_CALLED_NS UINT64_C(2000)
#define POINT_RETURNED_NS UINT64_C(11000)
#define POINT_BUDGET_FREE_NS INT64_C(20000000)

struct point_cost {
    uint32_t wish;
    uint32_t hit_ns;    /* that one hit takes; 0: it is not counted */
    uint64_t recent_ns; /* taken since there was most to be taken */
    bool returns;
    bool closed;
};

struct point_budget {
    struct point_cost *points; /* by index in the plan */
    size_t count;
    double share; /* 0: all that is needed */
    double left_ns;
    uint64_t at_ns; /* what is left was of this moment */
};

void point_budget_init(struct point_budget *budget, const struct point_plan *plan, uint64_t now_ns);
void point_budget_release(struct point_budget *budget);
void point_budget_take(struct point_budget *budget, uint32_t point);
/* So many hits took their time, of whatever points. */
void point_budget_take_lost(struct point_budget *budget, uint64_t hits);
/* True: the point is to be closed, and counts as closed from here on. */
bool point_budget_over(struct point_budget *budget, uint64_t now_ns, uint32_t *point);

#endif
