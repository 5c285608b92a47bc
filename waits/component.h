/* component.h - the strongly connected components of a graph, and which of them none leaves.
 *
 *     a <-> b --> c <-> d      {a, b}; {c, d}, a sink: from there no edge leads away
 *
 * Tarjan (Depth-first search and linear graph algorithms, 1972), without recursion. O(V + E).
 */
#ifndef WAITS_COMPONENT_H
#define WAITS_COMPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/wait_graph.h"

struct components {
    uint32_t *of;   /* by group */
    uint32_t *size; /* by component: its groups */
    bool *sink;     /* by component */
    uint32_t count;
};

/* Of the edges that are `kept`, by edge, and of the groups that are `present`, by group. */
void components_find(struct components *components, const struct wait_graph *graph,
                     const bool *kept, const bool *present);
void components_release(struct components *components);

#endif
