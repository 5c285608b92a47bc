#include "waits/wait_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "stats/jackknife.h"
#include "waits/alike.h"

_Static_assert(CASCADE_WINDOWS <= JACKKNIFE_BLOCKS, "a jackknife has a block for each window");

struct grouping {
    struct wait_graph *graph;
    const struct cascade *cascade;
    const struct wait_list *waits;
    size_t group_capacity, edge_capacity;
    struct hash_map edge_of; /* from << 32 | to -> 1 + edge */
    struct intern kinds;     /* by group: all that makes it one */
};

/* ---- groups ---- */

/* Names hold no line ends that matter: what is alike is one text. */
static uint32_t group_like(struct grouping *g, struct wait_group group, uint64_t routine)
{
    struct wait_graph *graph = g->graph;
    struct str key = {0};
    str_printf(&key, "%d %d %d %d %u %llx\n%s\n%s", (int)group.kind, group.main, group.of_run,
               group.client, group.part, (unsigned long long)routine, group.process,
               routine ? task_naming_stem(&graph->naming, group.name) : group.name);
    uint32_t index = intern_add(&g->kinds, key.data);
    str_release(&key);
    size_t count = graph->group_count;
    if (index == count)
        VEC_PUSH(graph->groups, count, g->group_capacity) = group;
    else if (strcmp(graph->groups[index].name, group.name) != 0)
        graph->groups[index].name = task_naming_stem(&graph->naming, group.name);
    graph->group_count = (uint32_t)count;
    return index;
}

static bool is_merged(const struct vertex_table *vertices, uint32_t vertex)
{
    return vertex < vertices->side->task_count && vertex_of_task(vertices, vertex) != vertex;
}

static uint32_t group_of_vertex(struct grouping *g, uint32_t vertex, uint32_t part)
{
    const struct vertex_table *vertices = g->cascade->vertices;
    struct wait_group group = {.process = "",
                               .name = vertex_name(vertices, vertex),
                               .kind = vertex_kind_of(vertices, vertex),
                               .part = part};
    const struct task_naming *naming = &g->graph->naming;
    uint64_t routine = 0;
    if (group.kind == VERTEX_THREAD) {
        const struct kernel_task *task = &vertices->side->tasks[vertex];
        group.process = task_naming_process(naming, task->pid);
        group.name = task_naming_name(naming, vertex);
        group.main = task_naming_is_main(naming, vertex);
        group.of_run = vertex_is_of_run(vertices, vertex);
        routine = task_naming_routine(naming, vertices->run, vertex);
    }
    group.client = vertex_is_client(vertices, vertex);
    return group_like(g, group, routine);
}

static void add_members(struct grouping *g)
{
    const struct vertex_table *vertices = g->cascade->vertices;
    for (uint32_t v = 0; v < vertices->count; v++) {
        struct wait_group *group = &g->graph->groups[g->graph->group_of[v]];
        if (is_merged(vertices, v)) {
            group->threads++;
            continue;
        }
        group->members++;
        group->threads++;
        group->blamed += g->cascade->blame[v];
        if (group->of_run)
            group->unfinished += g->waits->unfinished[v];
    }
}

static void part_groups(struct grouping *g)
{
    struct wait_graph *graph = g->graph;
    uint32_t count = g->cascade->vertices->count;
    uint32_t *part_of = memory_zeroed((count + 1) * sizeof *part_of);
    bool *tested = memory_zeroed(graph->group_count + 1);
    for (uint32_t i = 0; i < graph->group_count; i++)
        tested[i] = graph->groups[i].of_run;
    alike_find(part_of, g->cascade, graph->group_of, graph->group_count, tested);
    for (uint32_t v = 0; v < count; v++)
        if (part_of[v]) {
            graph->groups[graph->group_of[v]].parted = true;
            graph->group_of[v] = group_of_vertex(g, v, part_of[v]);
            graph->groups[graph->group_of[v]].parted = true;
        }
    memory_free(part_of);
    memory_free(tested);
}

/* Alike threads are a group; what merged threads are, is their virtual one. */
static void find_groups(struct grouping *g)
{
    const struct vertex_table *vertices = g->cascade->vertices;
    uint32_t *group_of = g->graph->group_of;
    for (uint32_t v = 0; v < vertices->count; v++)
        if (!is_merged(vertices, v))
            group_of[v] = group_of_vertex(g, v, 0);
    part_groups(g);
    for (uint32_t v = 0; v < vertices->count; v++)
        if (is_merged(vertices, v))
            group_of[v] = group_of[vertex_of_task(vertices, v)];
    add_members(g);
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
    task_naming_init(&graph->naming, cascade->vertices->side, cascade->vertices->roles);
    find_groups(&g);
    for (size_t i = 0; i < cascade->edge_count; i++)
        add_edge(&g, &cascade->edges[i]);
    for (size_t i = 0; i < idle->edge_count; i++)
        add_edge(&g, &idle->edges[i]);
    hash_map_release(&g.edge_of);
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

double wait_graph_within(const struct wait_graph *graph, uint32_t group, time_ns recorded)
{
    const struct wait_group *of = &graph->groups[group];
    double time = (double)recorded * of->members;
    return time > 0 ? (double)of->within / time : 0;
}

void wait_graph_release(struct wait_graph *graph)
{
    memory_free(graph->groups);
    memory_free(graph->group_of);
    memory_free(graph->edges);
    task_naming_release(&graph->naming);
    *graph = (struct wait_graph){0};
}
