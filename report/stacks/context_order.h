/* context_order.h - the nodes of contexts in reading order: the children of each, the longest time first.
 *
 * Nodes without any time are left out. Of groups those that ran longest come first.
 */
#ifndef REPORT_STACKS_CONTEXT_ORDER_H
#define REPORT_STACKS_CONTEXT_ORDER_H

#include "report/kit/child_order.h"
#include "stacks/context_times.h"

/* For child_order_release. */
void context_order_init(struct child_order *order, const struct context_times *times);

#endif
