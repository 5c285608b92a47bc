/* context_lines.h - the lines of one group's contexts that a person reads first.
 *
 *     server x 8                             the group
 *       main > aeMain                        a chain: nodes of nearly the same time, on one line
 *         beforeSleep
 *         processTimeEvents
 *         3 more                             those that are less than `least` of the group's time
 *
 * The threshold rises until the lines are no more than asked for. Borrows the order and the times.
 */
#ifndef REPORT_STACKS_CONTEXT_LINES_H
#define REPORT_STACKS_CONTEXT_LINES_H

#include "report/stacks/context_order.h"

enum { CONTEXT_LINES_DEPTH = 24 };

struct context_line {
    uint32_t first, node; /* the chain's; of `more` the parent's node */
    uint32_t depth;
    uint32_t more; /* so many children have no line; 0: it is the chain from `first` to `node` */
    time_ns ran, off, all;
    bool last; /* of its siblings */
};

struct context_lines {
    const struct context_times *times;
    const struct child_order *order;
    struct context_line *items;
    size_t count, capacity;
    double least; /* of the group's time */
    time_ns whole;
};

void context_lines_init(struct context_lines *lines, const struct context_times *times,
                        const struct child_order *order, uint32_t group_node, uint32_t most);
void context_lines_release(struct context_lines *lines);

#endif
