#include "waits/knot_support.h"

#include "base/memory.h"

enum { DRAWS = 200 };

struct draw {
    uint32_t times[CASCADE_WINDOWS]; /* each window was drawn */
    time_ns recorded;
};

static struct draw draw_windows(const struct cascade *cascade, uint64_t *random)
{
    struct draw draw = {{0}, 0};
    for (uint32_t i = 0; i < CASCADE_WINDOWS; i++)
        draw.times[hash_mix((*random)++) % CASCADE_WINDOWS]++;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        draw.recorded += cascade->recorded[w] * (time_ns)draw.times[w];
    return draw;
}

static double share_in(const struct draw *draw, const time_ns *waited, uint32_t members)
{
    double sum = 0;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        sum += (double)waited[w] * draw->times[w];
    return draw->recorded ? sum / (double)draw->recorded / members : 0;
}

/* The edges that lie in the first knot of what was drawn have one more. */
static void count_draw(struct wait_graph *drawn, const struct draw *draw, const bool *allowed,
                       double *support)
{
    bool *counts = memory_zeroed(drawn->edge_count + 1);
    struct knot_list knots;
    for (uint32_t e = 0; e < drawn->edge_count; e++) {
        struct wait_edge *edge = &drawn->edges[e];
        uint32_t members = drawn->groups[edge->from].members;
        edge->raw_share.value = share_in(draw, edge->raw, members);
        edge->cascaded_share.value = share_in(draw, edge->cascaded, members);
        counts[e] = allowed[e] && edge->raw_share.value > EDGE_LEAST;
    }
    knot_list_find(&knots, drawn, counts);
    for (uint32_t i = 0; knots.count && i < knots.items[0].edge_count; i++)
        support[knots.items[0].edges[i]] += 1.0 / DRAWS;
    knot_list_release(&knots);
    memory_free(counts);
}

double *knot_support_find(const struct wait_graph *graph, const struct cascade *cascade,
                          const bool *allowed)
{
    double *support = memory_zeroed((graph->edge_count + 1) * sizeof *support);
    struct wait_graph drawn = *graph;
    uint64_t random = 20181008;
    drawn.edges = memory_alloc((graph->edge_count + 1) * sizeof *drawn.edges);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        drawn.edges[e] = graph->edges[e];
    for (int i = 0; i < DRAWS; i++) {
        struct draw draw = draw_windows(cascade, &random);
        count_draw(&drawn, &draw, allowed, support);
    }
    memory_free(drawn.edges);
    return support;
}
