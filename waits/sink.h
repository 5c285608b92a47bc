/* sink.h - which strongly connected components of a graph of waits none leaves.
 *
 *     a <-> b --> c <-> d      {a, b}; {c, d}, a sink: from there no edge leads away
 */
#ifndef WAITS_SINK_H
#define WAITS_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/wait_graph.h"

struct sinks {
    uint32_t *component_of; /* by group (base/component.h) */
    uint32_t *size;         /* by component: its groups that are present; 0: it is none of them */
    bool *sink;             /* by component */
    uint32_t components;
};

/* Of the edges that are `kept`, by edge, and of the groups that are `present`, by group. */
void sinks_find(struct sinks *sinks, const struct wait_graph *graph, const bool *kept,
                const bool *present);
void sinks_release(struct sinks *sinks);

#endif
