#include "waits/replay_choice.h"

struct choosing {
    const struct wait_graph *graph;
    const bool *counts, *aside;
    time_ns recorded;
    struct replay_pair *pairs;
    uint32_t count;
};

static void choose(struct choosing *c, uint32_t edge)
{
    const struct wait_edge *of = &c->graph->edges[edge];
    if (!c->counts[edge] || c->aside[of->from] || c->graph->groups[of->from].kind != VERTEX_THREAD)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->pairs[i].edge == edge)
            return;
    if (c->count < REPLAY_MOST)
        c->pairs[c->count++] = (struct replay_pair){of->from, of->to, edge};
}

static void choose_within(struct choosing *c)
{
    for (uint32_t g = 0; g < c->graph->group_count && c->count < REPLAY_MOST; g++)
        if (!c->aside[g] && c->graph->groups[g].of_run &&
            wait_graph_within(c->graph, g, c->recorded) >= WITHIN_LEAST)
            c->pairs[c->count++] = (struct replay_pair){g, g, REPLAY_WITHIN};
}

static void choose_into(struct choosing *c, const struct knot *knot)
{
    for (uint32_t e = 0; e < c->graph->edge_count && knot->group_count == 1; e++)
        if (c->graph->edges[e].to == knot->groups[0])
            choose(c, e);
}

uint32_t replay_choice(const struct wait_graph *graph, const bool *counts, const bool *aside,
                       const struct knot_list *knots, time_ns recorded,
                       struct replay_pair pairs[REPLAY_MOST])
{
    struct choosing c = {graph, counts, aside, recorded, pairs, 0};
    for (uint32_t k = 0; k < knots->count; k++)
        for (uint32_t i = 0; i < knots->items[k].edge_count; i++)
            choose(&c, knots->items[k].edges[i]);
    for (uint32_t k = 0; k < knots->count; k++)
        choose_into(&c, &knots->items[k]);
    choose_within(&c);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        choose(&c, e);
    return c.count;
}
