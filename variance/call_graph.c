#include "variance/call_graph.h"

#include "base/memory.h"

/* Adjacency lists in one array: callees of f are target[start[f]] .. target[start[f + 1] - 1]. */
struct edges {
    uint32_t count; /* functions */
    size_t *start;
    uint32_t *target;
};

/* The search is Tarjan's algorithm with its own stack. A component is closed after all it calls
 * into, so that heights are known when they are needed. */
struct search {
    const struct edges *edges;
    uint32_t *height;
    uint32_t *order; /* 1, 2, ... by first visit; 0: not yet */
    uint32_t *low;   /* smallest order reachable within the open component */
    uint8_t *closed;
    size_t *next; /* next edge to look at */
    uint32_t *path;
    uint32_t path_length;
    uint32_t *open; /* visited, component not closed */
    uint32_t open_count;
    uint32_t visited;
};

static void edges_fill(struct edges *edges, const struct function_table *table,
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

static void edges_build(struct edges *edges, const struct function_table *table,
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

static void search_visit(struct search *s, uint32_t f)
{
    s->order[f] = s->low[f] = ++s->visited;
    s->next[f] = s->edges->start[f];
    s->path[s->path_length++] = f;
    s->open[s->open_count++] = f;
}

static void search_close(struct search *s, uint32_t root)
{
    uint32_t first = s->open_count;
    do
        s->closed[s->open[--first]] = 1;
    while (s->open[first] != root);
    uint32_t height = 0;
    for (uint32_t i = first; i < s->open_count; i++)
        height = s->height[s->open[i]] > height ? s->height[s->open[i]] : height;
    for (uint32_t i = first; i < s->open_count; i++)
        s->height[s->open[i]] = height;
    s->open_count = first;
}

/* The caller learns from `callee`, which is done or open. */
static void search_learn(struct search *s, uint32_t caller, uint32_t callee)
{
    if (!s->closed[callee]) {
        s->low[caller] = s->low[callee] < s->low[caller] ? s->low[callee] : s->low[caller];
        return;
    }
    if (s->height[callee] + 1 > s->height[caller])
        s->height[caller] = s->height[callee] + 1;
}

static void search_step(struct search *s)
{
    uint32_t f = s->path[s->path_length - 1];
    if (s->next[f] < s->edges->start[f + 1]) {
        uint32_t callee = s->edges->target[s->next[f]++];
        if (!s->order[callee])
            search_visit(s, callee);
        else
            search_learn(s, f, callee);
        return;
    }
    s->path_length--;
    if (s->low[f] == s->order[f])
        search_close(s, f);
    if (s->path_length)
        search_learn(s, s->path[s->path_length - 1], f);
}

static void search_all(struct search *s)
{
    for (uint32_t f = 0; f < s->edges->count; f++) {
        if (!s->order[f])
            search_visit(s, f);
        while (s->path_length)
            search_step(s);
    }
}

uint32_t *call_graph_heights(struct arena *arena, const struct function_table *table,
                             const struct seen_call *seen, uint32_t seen_count)
{
    struct edges edges;
    edges_build(&edges, table, seen, seen_count);
    struct arena scratch = {0};
    struct search s = {.edges = &edges};
    s.height = ARENA_ARRAY(arena, uint32_t, edges.count);
    s.order = ARENA_ARRAY(&scratch, uint32_t, edges.count);
    s.low = ARENA_ARRAY(&scratch, uint32_t, edges.count);
    s.closed = ARENA_ARRAY(&scratch, uint8_t, edges.count);
    s.next = ARENA_ARRAY(&scratch, size_t, edges.count);
    s.path = ARENA_ARRAY(&scratch, uint32_t, edges.count);
    s.open = ARENA_ARRAY(&scratch, uint32_t, edges.count);
    search_all(&s);
    arena_release(&scratch);
    memory_free(edges.start);
    memory_free(edges.target);
    return s.height;
}
