/* knot.h - the circles of waiting that nothing outside resolves: what caps the throughput.
 *
 *     a knot   a component of the graph that no edge leaves (sink.h), with more than one group
 *     a sink   one group that waits for none: what it does itself is what all wait for
 *
 * A knot of several circles is refined: its least edges are taken away, all of one weight at once,
 * until it falls apart, and the same is done with the knots of what is left; until it is one circle,
 * or all of its edges weigh more than the threshold. Each step is kept. (wPerf, OSDI'18, 3.3.)
 */
#ifndef WAITS_KNOT_H
#define WAITS_KNOT_H

#include "waits/sink.h"

/* Of the time (the paper's): an edge above it is worth to look at by itself. */
#define KNOT_THRESHOLD 0.2
/* An edge counts if it is surely above (the paper's). */
#define EDGE_LEAST 0.01

struct knot_step {
    uint32_t *removed; /* edges */
    uint32_t removed_count;
    double weight; /* of the heaviest of them */
};

struct knot {
    uint32_t *groups, *edges;
    uint32_t group_count, edge_count; /* one group and no edge: a sink */
    struct knot_step *steps;          /* how it came out of the graph */
    uint32_t step_count;
};

struct knot_list {
    struct knot *items; /* by how long others were behind them; last those of no thread or disk */
    uint32_t count;
};

/* By edge; whether it counts. */
bool *knot_edges(const struct wait_graph *graph);
void knot_list_find(struct knot_list *knots, const struct wait_graph *graph, const bool *counts);
void knot_list_release(struct knot_list *knots);

#endif
