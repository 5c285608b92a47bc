#include "waits/replay_choice.h"

struct choosing {
    const struct wait_graph *graph;
    const bool *counts;
    uint32_t *edges;
    uint32_t count;
};

static void choose(struct choosing *c, uint32_t edge)
{
    if (!c->counts[edge] || c->graph->groups[c->graph->edges[edge].from].kind != VERTEX_THREAD)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->edges[i] == edge)
            return;
    if (c->count < REPLAY_MOST)
        c->edges[c->count++] = edge;
}

static void choose_into(struct choosing *c, const struct knot *knot)
{
    for (uint32_t e = 0; e < c->graph->edge_count && knot->group_count == 1; e++)
        if (c->graph->edges[e].to == knot->groups[0])
            choose(c, e);
}

uint32_t replay_choice(const struct wait_graph *graph, const bool *counts,
                       const struct knot_list *knots, uint32_t edges[REPLAY_MOST])
{
    struct choosing c = {graph, counts, edges, 0};
    for (uint32_t k = 0; k < knots->count; k++)
        for (uint32_t i = 0; i < knots->items[k].edge_count; i++)
            choose(&c, knots->items[k].edges[i]);
    for (uint32_t k = 0; k < knots->count; k++)
        choose_into(&c, &knots->items[k]);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        choose(&c, e);
    return c.count;
}
