#include "waits/sink.h"

#include <stdbool.h>

#include "base/component.h"
#include "base/memory.h"

/* The groups of a part are numbered as they stand in it. */
struct numbered {
    const struct wait_graph *graph;
    const struct part *part;
    const sink_scratch *number; /* by group */
    uint32_t *component_of;     /* by number */
    uint32_t components;
};

static void link_edges(struct adjacency *adjacency, const struct numbered *n)
{
    const struct part *part = n->part;
    adjacency->count = part->group_count;
    adjacency->start = memory_zeroed((part->group_count + 2) * sizeof *adjacency->start);
    adjacency->target = memory_zeroed((part->edge_count + 1) * sizeof *adjacency->target);
    for (uint32_t i = 0; i < part->edge_count; i++)
        adjacency->start[n->number[n->graph->edges[part->edges[i]].from] + 2]++;
    for (uint32_t g = 0; g < part->group_count; g++)
        adjacency->start[g + 2] += adjacency->start[g + 1];
    for (uint32_t i = 0; i < part->edge_count; i++) {
        const struct wait_edge *edge = &n->graph->edges[part->edges[i]];
        adjacency->target[adjacency->start[n->number[edge->from] + 1]++] = n->number[edge->to];
    }
}

static struct numbered numbered_of(const struct wait_graph *graph, const struct part *part,
                                   sink_scratch *scratch)
{
    struct numbered n = {.graph = graph, .part = part, .number = scratch};
    struct adjacency adjacency;
    for (uint32_t i = 0; i < part->group_count; i++)
        scratch[part->groups[i]] = i;
    n.component_of = memory_zeroed((part->group_count + 1) * sizeof *n.component_of);
    link_edges(&adjacency, &n);
    n.components = component_find(&adjacency, n.component_of);
    memory_free(adjacency.start);
    memory_free(adjacency.target);
    return n;
}

static uint32_t component_of(const struct numbered *n, uint32_t group)
{
    return n->component_of[n->number[group]];
}

/* By component: how much is in it; an edge leaves it. */
struct content {
    uint32_t groups, edges;
    bool left;
    struct part *sink;
};

static struct content *count_contents(const struct numbered *n)
{
    struct content *contents = memory_zeroed((n->components + 1) * sizeof *contents);
    for (uint32_t i = 0; i < n->part->group_count; i++)
        contents[n->component_of[i]].groups++;
    for (uint32_t i = 0; i < n->part->edge_count; i++) {
        const struct wait_edge *edge = &n->graph->edges[n->part->edges[i]];
        struct content *from = &contents[component_of(n, edge->from)];
        if (component_of(n, edge->from) == component_of(n, edge->to))
            from->edges++;
        else
            from->left |= from->groups == 1 || n->graph->groups[edge->to].kind != VERTEX_TIMER;
    }
    return contents;
}

static void make_sinks(struct sinks *sinks, const struct numbered *n, struct content *contents)
{
    sinks->items = memory_zeroed((n->components + 1) * sizeof *sinks->items);
    for (uint32_t c = 0; c < n->components; c++) {
        if (contents[c].left)
            continue;
        struct part *sink = contents[c].sink = &sinks->items[sinks->count++];
        sink->groups = memory_alloc((contents[c].groups + 1) * sizeof *sink->groups);
        sink->edges = memory_alloc((contents[c].edges + 1) * sizeof *sink->edges);
    }
}

void sinks_find(struct sinks *sinks, const struct wait_graph *graph, const struct part *part,
                sink_scratch *scratch)
{
    struct numbered n = numbered_of(graph, part, scratch);
    struct content *contents = count_contents(&n);
    *sinks = (struct sinks){0};
    make_sinks(sinks, &n, contents);
    for (uint32_t i = 0; i < part->group_count; i++) {
        struct part *sink = contents[n.component_of[i]].sink;
        if (sink)
            sink->groups[sink->group_count++] = part->groups[i];
    }
    for (uint32_t i = 0; i < part->edge_count; i++) {
        const struct wait_edge *edge = &graph->edges[part->edges[i]];
        uint32_t from = component_of(&n, edge->from);
        struct part *sink = contents[from].sink;
        if (sink && component_of(&n, edge->to) == from)
            sink->edges[sink->edge_count++] = part->edges[i];
    }
    memory_free(contents);
    memory_free(n.component_of);
}

void sinks_release(struct sinks *sinks)
{
    for (uint32_t i = 0; i < sinks->count; i++)
        part_release(&sinks->items[i]);
    memory_free(sinks->items);
    *sinks = (struct sinks){0};
}

uint32_t part_components(const struct wait_graph *graph, const struct part *part,
                         sink_scratch *scratch)
{
    struct numbered n = numbered_of(graph, part, scratch);
    memory_free(n.component_of);
    return n.components;
}

void part_release(struct part *part)
{
    memory_free(part->groups);
    memory_free(part->edges);
    *part = (struct part){0};
}
