#include "waits/waits.h"

#include "base/memory.h"

/* By edge: it is a wait for a client, or of one; whom threads wait for an answer of is none. */
static bool *outside_edges(const struct waits *waits)
{
    const struct wait_graph *graph = &waits->graph;
    bool *outside = memory_zeroed(graph->edge_count + 1);
    bool *answers = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        answers[graph->edges[e].to] |= waits->counts[e] && !waits->arrivals.edges[e];
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        uint32_t from = graph->edges[e].from;
        outside[e] = waits->arrivals.edges[e] || (graph->groups[from].client && !answers[from]);
    }
    memory_free(answers);
    return outside;
}

/* What is not sure to count may lie in a knot of other windows of the run; a wait for a client, one of the
 * background, and that of a disk which nobody surely waits for, may not. */
static void find_knots(struct waits *waits)
{
    const struct wait_graph *graph = &waits->graph;
    bool *searched = memory_zeroed(graph->edge_count + 1);
    bool *outside = outside_edges(waits);
    bool *aside = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        searched[e] = waits->counts[e] && !outside[e];
    background_find(&waits->background, graph, &waits->running, waits->list.recorded, searched);
    knot_list_find(&waits->knots, graph, searched);
    for (size_t i = 0; i < waits->background.count; i++)
        for (uint32_t g = 0; g < waits->background.parts[i].group_count; g++)
            aside[waits->background.parts[i].groups[g]] = true;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        uint32_t from = graph->edges[e].from, to = graph->edges[e].to;
        bool device = graph->groups[from].kind == VERTEX_DEVICE;
        searched[e] = !outside[e] && !aside[from] && !aside[to] && (waits->counts[e] || !device);
    }
    waits->support = knot_support_find(graph, &waits->cascade, searched);
    memory_free(searched);
    memory_free(outside);
    memory_free(aside);
}

struct waits *waits_find(const struct timelines *run, struct error *error)
{
    const struct kernel_side *side = run->kernel_side;
    if (!side) {
        error_set(error, ERROR_NOTHING,
                  "Who waited for whom was not recorded. `vprofiler doctor` says what it takes.");
        return NULL;
    }
    struct waits *waits = memory_zeroed(sizeof *waits);
    vertex_table_init(&waits->vertices, side);
    waits->vertices.run = run;
    wait_list_fill(&waits->list, &waits->vertices);
    cascade_sweep(&waits->cascade, &waits->list, &waits->vertices);
    device_idle_fill(&waits->idle, &waits->cascade);
    wait_graph_fill(&waits->graph, &waits->cascade, &waits->list, &waits->idle);
    waits->counts = knot_edges(&waits->graph);
    run_queue_fill(&waits->queue, &waits->graph, &waits->cascade);
    running_fill(&waits->running, &waits->graph, &waits->cascade);
    arrivals_fill(&waits->arrivals, &waits->graph, &waits->running, &waits->idle, &waits->cascade,
                  run);
    find_knots(waits);
    return waits;
}

static time_ns runnable(const struct vertex_table *vertices)
{
    time_ns sum = 0;
    for (uint32_t t = 0; t < vertices->side->task_count; t++) {
        const struct kernel_task *task = &vertices->side->tasks[t];
        for (uint32_t i = 0; vertex_is_of_run(vertices, t) && i < task->off_count; i++)
            sum += task->offs[i].in - task->offs[i].woken;
    }
    return sum;
}

const char *waits_check(const struct waits *waits)
{
    time_ns charged = 0;
    for (uint32_t i = 0; i < waits->queue.count; i++)
        charged += waits->queue.charges[i].time;
    if (charged != runnable(&waits->vertices))
        return "who had the processors is not all that was waited for them";
    const char *broken = cascade_check(&waits->cascade, &waits->list);
    broken = broken ? broken : device_idle_check(&waits->idle, &waits->cascade);
    return broken ? broken : running_check(&waits->running);
}

void waits_release(struct waits *waits)
{
    knot_list_release(&waits->knots);
    background_release(&waits->background);
    arrivals_release(&waits->arrivals);
    memory_free(waits->counts);
    memory_free(waits->support);
    run_queue_release(&waits->queue);
    running_release(&waits->running);
    wait_graph_release(&waits->graph);
    device_idle_release(&waits->idle);
    cascade_release(&waits->cascade);
    wait_list_release(&waits->list);
    memory_free(waits);
}
