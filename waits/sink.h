/* sink.h - which strongly connected components of a part of a graph of waits none of its edges leaves.
 *
 *     a <-> b --> c <-> d --> timer      {a, b}; {c, d}, a sink: from there no edge leads away
 *
 * Nor does a wait for a timer from a component of several groups: a nap is of the circle's own making, as what it
 * runs is, and nobody outside lets it go on. (wPerf drops all waits for timers.) One group that naps waits for the
 * timer, which is a sink then.
 */
#ifndef WAITS_SINK_H
#define WAITS_SINK_H

#include "waits/wait_graph.h"

/* Some groups of a graph, and some of the edges between them; both ascend. */
struct part {
    uint32_t *groups, *edges;
    uint32_t group_count, edge_count;
};

struct sinks {
    struct part *items; /* with all edges of the part that lie within */
    uint32_t count;
};

/* Room for each group of the graph, whatever is in it. */
typedef uint32_t sink_scratch;

void sinks_find(struct sinks *sinks, const struct wait_graph *graph, const struct part *part,
                sink_scratch *scratch);
void sinks_release(struct sinks *sinks);
/* How many components there are. */
uint32_t part_components(const struct wait_graph *graph, const struct part *part,
                         sink_scratch *scratch);
void part_release(struct part *part);

#endif
