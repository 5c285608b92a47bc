#include "waits/waits.h"

#include "base/memory.h"

/* Where only sums were recorded, it is known which threads there were, and no more. */
static bool has_switches(const struct kernel_side *side)
{
    for (uint32_t p = 0; side && p < side->processor_count; p++)
        if (side->processors[p].count)
            return true;
    return false;
}

struct waits *waits_find(const struct timelines *run, struct error *error)
{
    const struct kernel_side *side = run->kernel_side;
    if (!has_switches(side)) {
        error_set(error, ERROR_NOTHING,
                  "Who waited for whom was not recorded. `vprofiler doctor` says what it takes.");
        return NULL;
    }
    struct waits *waits = memory_zeroed(sizeof *waits);
    vertex_table_init(&waits->vertices, side);
    wait_list_fill(&waits->list, &waits->vertices);
    cascade_sweep(&waits->cascade, &waits->list, &waits->vertices);
    wait_graph_fill(&waits->graph, &waits->cascade, &waits->list);
    waits->counts = knot_edges(&waits->graph);
    knot_list_find(&waits->knots, &waits->graph, waits->counts);
    waits->support = knot_support_find(&waits->graph, &waits->cascade);
    run_queue_fill(&waits->queue, &waits->graph, &waits->cascade);
    waits->times = group_times_find(&waits->graph, &waits->vertices);
    waits->wakers_known =
        run->watched == TRACE_WATCHED_ALL || !side->slept || side->unwoken < side->slept;
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
    return cascade_check(&waits->cascade, &waits->list);
}

void waits_release(struct waits *waits)
{
    knot_list_release(&waits->knots);
    memory_free(waits->counts);
    memory_free(waits->support);
    memory_free(waits->times);
    run_queue_release(&waits->queue);
    wait_graph_release(&waits->graph);
    cascade_release(&waits->cascade);
    wait_list_release(&waits->list);
    memory_free(waits);
}
