/* override_graph.h - which functions a virtual call may end in.
 *
 *     override_graph_init(&graph, functions, count);     by their `overrides`
 *     uint32_t reached = override_graph_reach(&graph, f);
 *     graph.reached[0..reached)                           f and what overrides it, near or far
 *
 * Functions of one USR are one member: whoever overrides one of them overrides all. Borrows the
 * functions while it is built; `reached` is valid until the next question.
 */
#ifndef REWRITER_OVERRIDE_GRAPH_H
#define REWRITER_OVERRIDE_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "rewriter/facts.h"

struct override_link;

struct override_graph {
    struct intern usrs;
    uint32_t *member;     /* by function: its USR's id */
    uint32_t *first;      /* by member: index + 1 of a function of it */
    uint32_t *next;       /* by function: index + 1 of another function of its member */
    uint32_t *overriders; /* by member: index + 1 of a link */
    struct override_link *links;
    size_t link_count, link_capacity;
    uint32_t *seen; /* by member: the last question that came to it */
    uint32_t question;
    uint32_t *reached;
    size_t reached_count, reached_capacity;
};

void override_graph_init(struct override_graph *graph, const struct fact_function *functions,
                         uint32_t count);
uint32_t override_graph_reach(struct override_graph *graph, uint32_t function);
void override_graph_release(struct override_graph *graph);

#endif
