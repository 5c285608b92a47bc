/* hold_order.h - the holds of a run, and who had each object before.
 *
 *     struct hold_order order;
 *     hold_order_build(&order, releases, count);     releases in order, see release_order.h
 *     block.hold = hold_order_of(&order, r);         of release r
 *     hold_order_finish(&order, run, arena);
 *
 * Only of objects of which some taking is known.
 */
#ifndef TRACE_HOLD_ORDER_H
#define TRACE_HOLD_ORDER_H

#include "trace/release_order.h"

struct hold_order {
    struct hold *holds;
    size_t count, capacity;
    uint32_t *of_release; /* NULL: there are no holds */
};

void hold_order_build(struct hold_order *order, const struct waker_release *releases, size_t count);
/* The hold that ended by a release, or HOLD_NONE. */
uint32_t hold_order_of(const struct hold_order *order, size_t release);
/* The holds are given to the run. */
void hold_order_finish(struct hold_order *order, struct timelines *run, struct arena *arena);

#endif
