/* child_order.h - the nodes of a tree in reading order: the children of each, the heaviest first.
 *
 *     struct child_order order;
 *     child_order_init(&order, nodes, children, count);       sorts `children`: those that are to be read
 *     for (uint32_t i = order.first[node]; i < order.first[node + 1]; i++) ... order.items[i]
 *     child_order_release(&order);
 *
 * Of the same weight the smaller number comes first.
 */
#ifndef REPORT_KIT_CHILD_ORDER_H
#define REPORT_KIT_CHILD_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct child {
    uint32_t parent, node;
    double weight;
};

struct child_order {
    uint32_t *items;
    uint32_t *first; /* by node, and one more */
};

void child_order_init(struct child_order *order, size_t nodes, struct child *children,
                      size_t count);
void child_order_release(struct child_order *order);

#endif
