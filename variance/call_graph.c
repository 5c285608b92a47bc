#include "variance/call_graph.h"

#include "base/component.h"
#include "base/memory.h"

static void edges_fill(struct adjacency *edges, const struct function_table *table,
                       const struct seen_call *seen, uint32_t seen_count)
{
    size_t *fill = memory_alloc(sizeof *fill * (edges->count + 1));
    for (uint32_t f = 0; f <= edges->count; f++)
        fill[f] = edges->start[f];
    for (uint32_t f = 0; f < edges->count; f++)
        for (uint32_t i = 0; i < table->functions[f].callee_count; i++)
            edges->target[fill[f]++] = table->functions[f].callees[i];
    for (uint32_t i = 0; i < seen_count; i++)
        edges->target[fill[seen[i].caller]++] = seen[i].callee;
    memory_free(fill);
}

static void edges_build(struct adjacency *edges, const struct function_table *table,
                        const struct seen_call *seen, uint32_t seen_count)
{
    edges->count = table->function_count;
    edges->start = memory_zeroed(sizeof *edges->start * (edges->count + 1));
    for (uint32_t f = 0; f < edges->count; f++)
        edges->start[f + 1] = table->functions[f].callee_count;
    for (uint32_t i = 0; i < seen_count; i++)
        edges->start[seen[i].caller + 1]++;
    for (uint32_t f = 0; f < edges->count; f++)
        edges->start[f + 1] += edges->start[f];
    edges->target = memory_alloc(sizeof *edges->target * (edges->start[edges->count] + 1));
    edges_fill(edges, table, seen, seen_count);
}

/* Functions by component: those of component c are members[first[c]] .. members[first[c + 1] - 1]. */
struct members {
    uint32_t *first, *functions;
};

static void members_fill(struct members *members, struct arena *arena, const uint32_t *component_of,
                         uint32_t functions, uint32_t components)
{
    members->first = ARENA_ARRAY(arena, uint32_t, components + 2);
    members->functions = ARENA_ARRAY(arena, uint32_t, functions);
    for (uint32_t f = 0; f < functions; f++)
        members->first[component_of[f] + 2]++;
    for (uint32_t c = 0; c < components; c++)
        members->first[c + 2] += members->first[c + 1];
    for (uint32_t f = 0; f < functions; f++)
        members->functions[members->first[component_of[f] + 1]++] = f;
}

/* A component is higher than those that it calls into, whose numbers are lower. */
static uint32_t component_height(const struct adjacency *edges, const uint32_t *component_of,
                                 const uint32_t *heights, const uint32_t *functions, uint32_t count)
{
    uint32_t height = 0;
    for (uint32_t i = 0; i < count; i++)
        for (size_t e = edges->start[functions[i]]; e < edges->start[functions[i] + 1]; e++) {
            uint32_t callee = edges->target[e];
            if (component_of[callee] != component_of[functions[i]] && heights[callee] + 1 > height)
                height = heights[callee] + 1;
        }
    return height;
}

uint32_t *call_graph_heights(struct arena *arena, const struct function_table *table,
                             const struct seen_call *seen, uint32_t seen_count)
{
    struct adjacency edges;
    edges_build(&edges, table, seen, seen_count);
    struct arena scratch = {0};
    struct members members;
    uint32_t *heights = ARENA_ARRAY(arena, uint32_t, edges.count);
    uint32_t *component_of = ARENA_ARRAY(&scratch, uint32_t, edges.count);
    uint32_t components = component_find(&edges, component_of);
    members_fill(&members, &scratch, component_of, edges.count, components);
    for (uint32_t c = 0; c < components; c++) {
        const uint32_t *functions = members.functions + members.first[c];
        uint32_t count = members.first[c + 1] - members.first[c];
        uint32_t height = component_height(&edges, component_of, heights, functions, count);
        for (uint32_t i = 0; i < count; i++)
            heights[functions[i]] = height;
    }
    arena_release(&scratch);
    memory_free(edges.start);
    memory_free(edges.target);
    return heights;
}
