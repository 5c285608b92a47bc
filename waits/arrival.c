#include "waits/arrival.h"

#include "base/memory.h"
#include "waits/time_window.h"

struct windowed {
    time_ns of[CASCADE_WINDOWS];
};

struct arriving {
    struct arrivals *arrivals;
    const struct wait_graph *graph;
    const struct cascade *cascade;
    const struct timelines *run;
    struct windowed *groups; /* by group */
    time_ns *edges;          /* by edge */
    struct hash_map edge_of; /* from << 32 | to -> 1 + edge */
};

static void index_edges(struct arriving *a)
{
    for (uint32_t e = 0; e < a->graph->edge_count; e++) {
        const struct wait_edge *edge = &a->graph->edges[e];
        *hash_map_put(&a->edge_of, (uint64_t)edge->from << 32 | edge->to) = 1 + e;
    }
}

/* The thread worked for an interval when the wait began. */
static bool is_within_interval(const struct timelines *run, uint32_t number, time_ns time)
{
    if (number == THREAD_NONE)
        return false;
    const struct timeline_thread *thread = &run->threads[number];
    int64_t label = timeline_label_at(thread, time);
    return label >= 0 && thread->labels[label].interval != INTERVAL_NONE;
}

static bool is_arrival(const struct arriving *a, const struct kernel_task *task,
                       const struct off_cpu *off, uint32_t whom)
{
    return (off->cause == OFF_NETWORK || off->cause == OFF_THREAD) &&
           a->graph->groups[whom].client && !is_within_interval(a->run, task->thread, off->out);
}

static void add_off(struct arriving *a, uint32_t who, const struct kernel_task *task,
                    const struct off_cpu *off)
{
    uint32_t whom = a->graph->group_of[vertex_of_off(a->cascade->vertices, off)];
    if (off->woken <= off->out || !is_arrival(a, task, off, whom))
        return;
    const uint64_t *edge = hash_map_get(&a->edge_of, (uint64_t)who << 32 | whom);
    time_window_add(a->groups[who].of, a->cascade->borders, off->out, off->woken);
    if (edge)
        a->edges[*edge - 1] += off->woken - off->out;
}

static void add_tasks(struct arriving *a)
{
    const struct vertex_table *vertices = a->cascade->vertices;
    for (uint32_t t = 1; t < vertices->side->task_count; t++) {
        const struct kernel_task *task = &vertices->side->tasks[t];
        if (!vertex_is_of_run(vertices, t))
            continue;
        for (uint32_t i = 0; i < task->off_count; i++)
            add_off(a, a->graph->group_of[t], task, &task->offs[i]);
        if (task->open.woken < task->open.in)
            add_off(a, a->graph->group_of[t], task, &task->open);
    }
}

static void judge_edges(struct arriving *a)
{
    time_ns *most = memory_zeroed((a->graph->group_count + 1) * sizeof *most);
    for (uint32_t e = 0; e < a->graph->edge_count; e++) {
        const struct wait_edge *edge = &a->graph->edges[e];
        struct arrival_group *group = &a->arrivals->groups[edge->from];
        a->arrivals->edges[e] = a->edges[e] > 0 && a->edges[e] >= cascade_sum(edge->raw) / 2;
        if (a->edges[e] > most[edge->from]) {
            most[edge->from] = a->edges[e];
            group->client = edge->to;
        }
    }
    memory_free(most);
}

/* Threads surely wait for it, and it is hardly ever idle. */
static bool is_never_idle(const struct wait_graph *graph, const struct device_use *use,
                          const struct cascade *cascade)
{
    time_ns recorded = 0;
    bool wanted = false;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        recorded += cascade->recorded[w];
    for (uint32_t e = 0; e < graph->edge_count; e++)
        wanted |= graph->edges[e].to == graph->group_of[use->vertex] &&
                  graph->edges[e].raw_share.ci95[0] > ARRIVAL_LEAST;
    return wanted && (double)(use->idle + use->unended) < NEVER_IDLE * (double)recorded;
}

static void judge_groups(struct arrivals *arrivals, const struct wait_graph *graph,
                         const struct running *running)
{
    for (uint32_t g = 0; g < graph->group_count; g++) {
        struct arrival_group *group = &arrivals->groups[g];
        group->serves = (double)running->groups[g].ran > SERVES_LEAST * (double)running->ran;
        bool waits = group->serves && group->share.ci95[0] > ARRIVAL_LEAST;
        uint32_t most = arrivals->unsaturated;
        if (waits &&
            (most == ARRIVAL_NONE || group->share.value > arrivals->groups[most].share.value))
            arrivals->unsaturated = g;
    }
}

void arrivals_fill(struct arrivals *arrivals, const struct wait_graph *graph,
                   const struct running *running, const struct device_idle *idle,
                   const struct cascade *cascade, const struct timelines *run)
{
    struct arriving a = {.arrivals = arrivals, .graph = graph, .cascade = cascade, .run = run};
    *arrivals = (struct arrivals){
        .groups = memory_zeroed((graph->group_count + 1) * sizeof *arrivals->groups),
        .edges = memory_zeroed(graph->edge_count + 1),
        .unsaturated = ARRIVAL_NONE};
    a.groups = memory_zeroed((graph->group_count + 1) * sizeof *a.groups);
    a.edges = memory_zeroed((graph->edge_count + 1) * sizeof *a.edges);
    index_edges(&a);
    add_tasks(&a);
    judge_edges(&a);
    for (uint32_t g = 0; g < graph->group_count; g++) {
        arrivals->groups[g].waited = cascade_sum(a.groups[g].of);
        arrivals->groups[g].share =
            wait_share_of(a.groups[g].of, cascade, graph->groups[g].members);
    }
    judge_groups(arrivals, graph, running);
    for (uint32_t d = 0; d < idle->device_count; d++)
        if (is_never_idle(graph, &idle->devices[d], cascade))
            arrivals->unsaturated = ARRIVAL_NONE;
    memory_free(a.groups);
    memory_free(a.edges);
    hash_map_release(&a.edge_of);
}

void arrivals_release(struct arrivals *arrivals)
{
    memory_free(arrivals->groups);
    memory_free(arrivals->edges);
    *arrivals = (struct arrivals){0};
}
