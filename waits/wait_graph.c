#include "waits/wait_graph.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/str.h"
#include "stats/jackknife.h"

_Static_assert(CASCADE_WINDOWS <= JACKKNIFE_BLOCKS, "a jackknife has a block for each window");

struct grouping {
    struct wait_graph *graph;
    const struct cascade *cascade;
    const struct wait_list *waits;
    size_t group_capacity, edge_capacity;
    struct hash_map edge_of;  /* from << 32 | to -> 1 + edge */
    struct hash_map first_of; /* tid -> 1 + task */
    struct intern kinds;      /* by group: all that makes it one */
};

/* ---- groups ---- */

/* A process is called what its first thread is. */
static void name_processes(struct grouping *g)
{
    const struct kernel_side *side = g->cascade->vertices->side;
    for (uint32_t i = 1; i < side->task_count; i++) {
        uint64_t *known = hash_map_put(&g->first_of, side->tasks[i].tid);
        if (!*known)
            *known = 1 + i;
    }
}

static const char *process_name(const struct grouping *g, uint32_t pid)
{
    const uint64_t *first = hash_map_get(&g->first_of, pid);
    return first ? g->cascade->vertices->side->tasks[*first - 1].name : "";
}

/* Names hold no line ends that matter: what is alike is one text. */
static uint32_t group_like(struct grouping *g, struct wait_group group)
{
    struct wait_graph *graph = g->graph;
    struct str key = {0};
    str_printf(&key, "%d %d %d %d\n%s\n%s", (int)group.kind, group.main, group.of_run, group.client,
               group.process, group.name);
    uint32_t index = intern_add(&g->kinds, key.data);
    str_release(&key);
    size_t count = graph->group_count;
    if (index == count)
        VEC_PUSH(graph->groups, count, g->group_capacity) = group;
    graph->group_count = (uint32_t)count;
    return index;
}

static void add_vertex(struct grouping *g, uint32_t vertex)
{
    const struct vertex_table *vertices = g->cascade->vertices;
    struct wait_group group = {.process = "",
                               .name = vertex_name(vertices, vertex),
                               .kind = vertex_kind_of(vertices, vertex)};
    if (group.kind == VERTEX_THREAD) {
        const struct kernel_task *task = &vertices->side->tasks[vertex];
        group.process = process_name(g, task->pid);
        group.main = task->pid == task->tid;
        group.of_run = vertex_is_of_run(vertices, vertex);
    }
    group.client = vertex_is_client(vertices, vertex);
    uint32_t index = group_like(g, group);
    g->graph->group_of[vertex] = index;
    g->graph->groups[index].members++;
    g->graph->groups[index].blamed += g->cascade->blame[vertex];
    if (group.of_run)
        g->graph->groups[index].unfinished += g->waits->unfinished[vertex];
}

/* ---- edges ---- */

static struct wait_edge *edge_between(struct grouping *g, uint32_t from, uint32_t to)
{
    struct wait_graph *graph = g->graph;
    uint64_t *known = hash_map_put(&g->edge_of, (uint64_t)from << 32 | to);
    if (!*known) {
        size_t count = graph->edge_count;
        VEC_PUSH(graph->edges, count, g->edge_capacity) =
            (struct wait_edge){.from = from, .to = to};
        graph->edge_count = (uint32_t)count;
        *known = count;
    }
    return &graph->edges[*known - 1];
}

static void add_edge(struct grouping *g, const struct cascade_edge *added)
{
    uint32_t from = g->graph->group_of[added->who], to = g->graph->group_of[added->whom];
    if (from == to) {
        g->graph->groups[from].within += cascade_sum(added->raw);
        return;
    }
    struct wait_edge *edge = edge_between(g, from, to);
    edge->count += added->count;
    for (int k = 0; k < CASCADE_LENGTHS; k++)
        edge->lengths[k] += added->lengths[k];
    edge->longest = added->longest > edge->longest ? added->longest : edge->longest;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++) {
        edge->raw[w] += added->raw[w];
        edge->cascaded[w] += added->cascaded[w];
        edge->leaf[w] += added->leaf[w];
    }
}

/* Windows in which nothing was recorded tell nothing, and are no block. */
static uint32_t leave_out(const double *parts, const struct cascade *cascade, uint32_t members,
                          double *value, double *left_out)
{
    double sum = 0, time = 0;
    uint32_t blocks = 0;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++) {
        sum += parts[w];
        time += (double)cascade->recorded[w] * members;
    }
    *value = time > 0 ? sum / time : 0;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++) {
        if (!cascade->recorded[w])
            continue;
        double rest = time - (double)cascade->recorded[w] * members;
        left_out[blocks++] = rest > 0 ? (sum - parts[w]) / rest : *value;
    }
    return blocks;
}

static void parts_of(const time_ns *waited, double *parts)
{
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        parts[w] = (double)waited[w];
}

uint32_t wait_share_left_out(const time_ns *waited, const struct cascade *cascade, uint32_t members,
                             double *value, double *left_out)
{
    double parts[CASCADE_WINDOWS];
    parts_of(waited, parts);
    return leave_out(parts, cascade, members, value, left_out);
}

struct wait_share wait_share_of_parts(const double *parts, const struct cascade *cascade,
                                      uint32_t members)
{
    double left_out[JACKKNIFE_BLOCKS];
    struct wait_share share;
    uint32_t blocks = leave_out(parts, cascade, members, &share.value, left_out);
    jackknife_interval(left_out, blocks, share.value, share.ci95);
    return share;
}

struct wait_share wait_share_of(const time_ns *waited, const struct cascade *cascade,
                                uint32_t members)
{
    double parts[CASCADE_WINDOWS];
    parts_of(waited, parts);
    return wait_share_of_parts(parts, cascade, members);
}

static int by_share(const void *a, const void *b)
{
    const struct wait_edge *p = a, *q = b;
    if (p->raw_share.value != q->raw_share.value)
        return p->raw_share.value > q->raw_share.value ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

static void part_blame(struct wait_graph *graph, time_ns recorded)
{
    for (uint32_t g = 0; g < graph->group_count; g++)
        graph->run_members += graph->groups[g].of_run ? graph->groups[g].members : 0;
    double all = (double)recorded * graph->run_members;
    for (uint32_t g = 0; g < graph->group_count; g++)
        graph->groups[g].blamed_part = all > 0 ? (double)graph->groups[g].blamed / all : 0;
}

void wait_graph_fill(struct wait_graph *graph, const struct cascade *cascade,
                     const struct wait_list *waits, const struct device_idle *idle)
{
    struct grouping g = {.graph = graph, .cascade = cascade, .waits = waits};
    *graph = (struct wait_graph){0};
    graph->group_of = memory_zeroed((cascade->vertices->count + 1) * sizeof *graph->group_of);
    name_processes(&g);
    for (uint32_t v = 0; v < cascade->vertices->count; v++)
        add_vertex(&g, v);
    for (size_t i = 0; i < cascade->edge_count; i++)
        add_edge(&g, &cascade->edges[i]);
    for (size_t i = 0; i < idle->edge_count; i++)
        add_edge(&g, &idle->edges[i]);
    hash_map_release(&g.edge_of);
    hash_map_release(&g.first_of);
    intern_release(&g.kinds);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        struct wait_edge *edge = &graph->edges[i];
        uint32_t members = graph->groups[edge->from].members;
        edge->raw_share = wait_share_of(edge->raw, cascade, members);
        edge->cascaded_share = wait_share_of(edge->cascaded, cascade, members);
        edge->leaf_share = wait_share_of(edge->leaf, cascade, members);
    }
    part_blame(graph, waits->recorded);
    if (graph->edge_count)
        qsort(graph->edges, graph->edge_count, sizeof *graph->edges, by_share);
}

void wait_graph_release(struct wait_graph *graph)
{
    memory_free(graph->groups);
    memory_free(graph->group_of);
    memory_free(graph->edges);
    *graph = (struct wait_graph){0};
}
