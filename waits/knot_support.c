#include "waits/knot_support.h"

#include "base/memory.h"

enum { DRAWS = 200 };
#define ABOUT_ONE (1 + 1e-9) /* sums of quotients are rounded */

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
static void count_draw(struct wait_graph *drawn, const struct draw *draw, double *support)
{
    bool *counts = memory_zeroed(drawn->edge_count + 1);
    struct knot_list knots;
    for (uint32_t e = 0; e < drawn->edge_count; e++) {
        struct wait_edge *edge = &drawn->edges[e];
        uint32_t members = drawn->groups[edge->from].members;
        edge->raw_share.value = share_in(draw, edge->raw, members);
        counts[e] = edge->raw_share.value > EDGE_LEAST;
        if (counts[e])
            edge->cascaded_share.value = share_in(draw, edge->cascaded, members);
    }
    knot_list_find(&knots, drawn, counts);
    for (uint32_t i = 0; knots.count && i < knots.items[0].edge_count; i++)
        support[knots.items[0].edges[i]] += 1.0 / DRAWS;
    knot_list_release(&knots);
    memory_free(counts);
}

/* Whatever is drawn, an edge's share is at most that of its largest window. */
static bool may_count(const struct wait_graph *graph, const struct cascade *cascade,
                      const struct wait_edge *edge)
{
    double least = EDGE_LEAST * graph->groups[edge->from].members;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        if ((double)edge->raw[w] * ABOUT_ONE > least * (double)cascade->recorded[w])
            return true;
    return false;
}

double *knot_support_find(const struct wait_graph *graph, const struct cascade *cascade,
                          const bool *allowed)
{
    double *support = memory_zeroed((graph->edge_count + 1) * sizeof *support);
    double *drawn_support = memory_zeroed((graph->edge_count + 1) * sizeof *drawn_support);
    uint32_t *edge_of = memory_alloc((graph->edge_count + 1) * sizeof *edge_of);
    struct wait_graph drawn = *graph;
    uint64_t random = 20181008;
    drawn.edges = memory_alloc((graph->edge_count + 1) * sizeof *drawn.edges);
    drawn.edge_count = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (allowed[e] && may_count(graph, cascade, &graph->edges[e])) {
            edge_of[drawn.edge_count] = e;
            drawn.edges[drawn.edge_count++] = graph->edges[e];
        }
    for (int i = 0; i < DRAWS; i++) {
        struct draw draw = draw_windows(cascade, &random);
        count_draw(&drawn, &draw, drawn_support);
    }
    for (uint32_t e = 0; e < drawn.edge_count; e++)
        support[edge_of[e]] = drawn_support[e];
    memory_free(drawn.edges);
    memory_free(drawn_support);
    memory_free(edge_of);
    return support;
}
