#include "waits/knot_search.h"

#include "base/memory.h"

/* By edge: it is a wait for a client, or of one; whom threads wait for an answer of is none. */
static bool *outside_edges(const struct knot_search *search)
{
    const struct wait_graph *graph = search->graph;
    bool *outside = memory_zeroed(graph->edge_count + 1);
    bool *answers = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        answers[graph->edges[e].to] |= search->counts[e] && !search->arrivals->edges[e];
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        uint32_t from = graph->edges[e].from;
        outside[e] = search->arrivals->edges[e] || (graph->groups[from].client && !answers[from]);
    }
    memory_free(answers);
    return outside;
}

/* By group. */
static bool *set_aside(const struct background *background, const struct wait_graph *graph)
{
    bool *aside = memory_zeroed(graph->group_count + 1);
    background_mark(background, aside);
    return aside;
}

/* What is not sure to count may lie in a knot of other windows of the run; a wait for a client, one of the
 * background, and that of a disk which nobody surely waits for, may not. */
static double *find_support(const struct knot_search *search, const struct background *background,
                            const bool *outside, bool *searched)
{
    const struct wait_graph *graph = search->graph;
    bool *aside = set_aside(background, graph);
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        uint32_t from = graph->edges[e].from, to = graph->edges[e].to;
        bool device = graph->groups[from].kind == VERTEX_DEVICE;
        searched[e] = !outside[e] && !aside[from] && !aside[to] && (search->counts[e] || !device);
    }
    memory_free(aside);
    return knot_support_find(graph, search->cascade, searched);
}

void knot_search_run(const struct knot_search *search, struct background *background,
                     struct knot_list *knots, double **support)
{
    const struct wait_graph *graph = search->graph;
    bool *searched = memory_zeroed(graph->edge_count + 1);
    bool *outside = outside_edges(search);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        searched[e] = search->counts[e] && !outside[e];
    background_find(background, graph, search->running, search->recorded, searched);
    knot_list_find(knots, graph, searched);
    *support = find_support(search, background, outside, searched);
    memory_free(searched);
    memory_free(outside);
}
