#include "waits/sink.h"

#include "base/component.h"
#include "base/memory.h"

static bool is_inside(const struct wait_edge *edge, bool kept, const bool *present)
{
    return kept && present[edge->from] && present[edge->to];
}

static void link_edges(struct adjacency *adjacency, const struct wait_graph *graph,
                       const bool *kept, const bool *present)
{
    adjacency->count = graph->group_count;
    adjacency->start = memory_zeroed((graph->group_count + 2) * sizeof *adjacency->start);
    adjacency->target = memory_zeroed((graph->edge_count + 1) * sizeof *adjacency->target);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (is_inside(&graph->edges[e], kept[e], present))
            adjacency->start[graph->edges[e].from + 2]++;
    for (uint32_t g = 0; g < graph->group_count; g++)
        adjacency->start[g + 2] += adjacency->start[g + 1];
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (is_inside(&graph->edges[e], kept[e], present))
            adjacency->target[adjacency->start[graph->edges[e].from + 1]++] = graph->edges[e].to;
}

void sinks_find(struct sinks *sinks, const struct wait_graph *graph, const bool *kept,
                const bool *present)
{
    struct adjacency adjacency;
    uint32_t groups = graph->group_count;
    link_edges(&adjacency, graph, kept, present);
    *sinks = (struct sinks){.component_of = memory_zeroed((groups + 1) * sizeof(uint32_t)),
                            .size = memory_zeroed((groups + 1) * sizeof(uint32_t)),
                            .sink = memory_zeroed(groups + 1)};
    sinks->components = component_find(&adjacency, sinks->component_of);
    for (uint32_t g = 0; g < groups; g++)
        sinks->size[sinks->component_of[g]] += present[g];
    for (uint32_t c = 0; c < sinks->components; c++)
        sinks->sink[c] = sinks->size[c] > 0;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct wait_edge *edge = &graph->edges[e];
        uint32_t from = sinks->component_of[edge->from];
        if (is_inside(edge, kept[e], present) && from != sinks->component_of[edge->to])
            sinks->sink[from] = false;
    }
    memory_free(adjacency.start);
    memory_free(adjacency.target);
}

void sinks_release(struct sinks *sinks)
{
    memory_free(sinks->component_of);
    memory_free(sinks->size);
    memory_free(sinks->sink);
    *sinks = (struct sinks){0};
}
