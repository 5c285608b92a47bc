#include "waits/component.h"

#include "base/memory.h"

enum { NOT_SEEN = 0 };

struct search {
    const struct wait_graph *graph;
    const bool *kept, *present;
    uint32_t *first_edge, *next_edge; /* by group, by edge: 1 + edge, or 0 */
    uint32_t *at;                     /* by group: the edge that is looked at next */
    uint32_t *order, *low;            /* by group; from 1 */
    uint32_t *path, *stack;           /* groups */
    bool *on_stack;
    uint32_t path_length, stack_length, seen;
    struct components *components;
};

static uint32_t *list(uint32_t count)
{
    return memory_zeroed((count + 1) * sizeof(uint32_t));
}

static void link_edges(struct search *s)
{
    for (uint32_t e = s->graph->edge_count; e-- > 0;) {
        const struct wait_edge *edge = &s->graph->edges[e];
        if (!s->kept[e] || !s->present[edge->from] || !s->present[edge->to])
            continue;
        s->next_edge[e] = s->first_edge[edge->from];
        s->first_edge[edge->from] = e + 1;
    }
}

static void enter(struct search *s, uint32_t group)
{
    s->order[group] = s->low[group] = ++s->seen;
    s->at[group] = s->first_edge[group];
    s->path[s->path_length++] = s->stack[s->stack_length++] = group;
    s->on_stack[group] = true;
}

static void lower(uint32_t *low, uint32_t to)
{
    *low = to < *low ? to : *low;
}

static void close_component(struct search *s, uint32_t group)
{
    struct components *found = s->components;
    uint32_t member;
    do {
        member = s->stack[--s->stack_length];
        s->on_stack[member] = false;
        found->of[member] = found->count;
        found->size[found->count]++;
    } while (member != group);
    found->sink[found->count++] = true;
}

/* The last group of the path is done. */
static void leave(struct search *s)
{
    uint32_t group = s->path[--s->path_length];
    if (s->low[group] == s->order[group])
        close_component(s, group);
    if (s->path_length)
        lower(&s->low[s->path[s->path_length - 1]], s->low[group]);
}

static void search_from(struct search *s, uint32_t group)
{
    enter(s, group);
    while (s->path_length) {
        uint32_t last = s->path[s->path_length - 1];
        if (!s->at[last]) {
            leave(s);
            continue;
        }
        uint32_t edge = s->at[last] - 1, to = s->graph->edges[edge].to;
        s->at[last] = s->next_edge[edge];
        if (s->order[to] == NOT_SEEN)
            enter(s, to);
        else if (s->on_stack[to])
            lower(&s->low[last], s->order[to]);
    }
}

static void find_sinks(struct components *components, const struct search *s)
{
    for (uint32_t e = 0; e < s->graph->edge_count; e++) {
        const struct wait_edge *edge = &s->graph->edges[e];
        if (s->kept[e] && s->present[edge->from] && s->present[edge->to] &&
            components->of[edge->from] != components->of[edge->to])
            components->sink[components->of[edge->from]] = false;
    }
}

void components_find(struct components *components, const struct wait_graph *graph,
                     const bool *kept, const bool *present)
{
    uint32_t groups = graph->group_count;
    *components = (struct components){
        .of = list(groups), .size = list(groups), .sink = memory_zeroed(groups + 1)};
    struct search s = {.graph = graph,
                       .kept = kept,
                       .present = present,
                       .first_edge = list(groups),
                       .next_edge = list(graph->edge_count),
                       .at = list(groups),
                       .order = list(groups),
                       .low = list(groups),
                       .path = list(groups),
                       .stack = list(groups),
                       .on_stack = memory_zeroed(groups + 1),
                       .components = components};
    link_edges(&s);
    for (uint32_t g = 0; g < groups; g++)
        if (present[g] && s.order[g] == NOT_SEEN)
            search_from(&s, g);
    find_sinks(components, &s);
    memory_free(s.first_edge);
    memory_free(s.next_edge);
    memory_free(s.at);
    memory_free(s.order);
    memory_free(s.low);
    memory_free(s.path);
    memory_free(s.stack);
    memory_free(s.on_stack);
}

void components_release(struct components *components)
{
    memory_free(components->of);
    memory_free(components->size);
    memory_free(components->sink);
    *components = (struct components){0};
}
