/* context_order.h - the nodes of contexts in reading order: the children of each, the longest time first.
 *
 *     struct context_order order;
 *     context_order_init(&order, &stacks->times);
 *     for (uint32_t i = order.first[node]; i < order.first[node + 1]; i++) ... order.items[i]
 *
 * Nodes without any time are left out.
 */
#ifndef REPORT_STACKS_CONTEXT_ORDER_H
#define REPORT_STACKS_CONTEXT_ORDER_H

#include "stacks/context_times.h"

struct context_order {
    uint32_t *items;
    uint32_t *first; /* by node, and one more */
};

void context_order_init(struct context_order *order, const struct context_times *times);
void context_order_release(struct context_order *order);

#endif
