#include "base/component.h"

#include "base/arena.h"

#define OPEN UINT32_MAX

/* A component is closed after all that it leads to. */
struct search {
    const struct adjacency *graph;
    uint32_t *component_of; /* OPEN: not yet closed */
    uint32_t *order;        /* 1, 2, ... by first visit; 0: not yet */
    uint32_t *low;          /* smallest order reachable within the open component */
    size_t *next;           /* next edge to look at */
    uint32_t *path;
    uint32_t path_length;
    uint32_t *open; /* visited, component not closed */
    uint32_t open_count;
    uint32_t visited, closed;
};

static void visit(struct search *s, uint32_t vertex)
{
    s->order[vertex] = s->low[vertex] = ++s->visited;
    s->next[vertex] = s->graph->start[vertex];
    s->component_of[vertex] = OPEN;
    s->path[s->path_length++] = vertex;
    s->open[s->open_count++] = vertex;
}

static void close_component(struct search *s, uint32_t root)
{
    do
        s->component_of[s->open[--s->open_count]] = s->closed;
    while (s->open[s->open_count] != root);
    s->closed++;
}

/* The vertex learns from one that it leads to, which is done or open. */
static void learn(struct search *s, uint32_t vertex, uint32_t target)
{
    if (s->component_of[target] == OPEN && s->low[target] < s->low[vertex])
        s->low[vertex] = s->low[target];
}

static void step(struct search *s)
{
    uint32_t vertex = s->path[s->path_length - 1];
    if (s->next[vertex] < s->graph->start[vertex + 1]) {
        uint32_t target = s->graph->target[s->next[vertex]++];
        if (!s->order[target])
            visit(s, target);
        else
            learn(s, vertex, target);
        return;
    }
    s->path_length--;
    if (s->low[vertex] == s->order[vertex])
        close_component(s, vertex);
    if (s->path_length)
        learn(s, s->path[s->path_length - 1], vertex);
}

uint32_t component_find(const struct adjacency *graph, uint32_t *component_of)
{
    struct arena scratch = {0};
    struct search s = {.graph = graph, .component_of = component_of};
    s.order = ARENA_ARRAY(&scratch, uint32_t, graph->count);
    s.low = ARENA_ARRAY(&scratch, uint32_t, graph->count);
    s.next = ARENA_ARRAY(&scratch, size_t, graph->count);
    s.path = ARENA_ARRAY(&scratch, uint32_t, graph->count);
    s.open = ARENA_ARRAY(&scratch, uint32_t, graph->count);
    for (uint32_t v = 0; v < graph->count; v++) {
        if (!s.order[v])
            visit(&s, v);
        while (s.path_length)
            step(&s);
    }
    arena_release(&scratch);
    return s.closed;
}
