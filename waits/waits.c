#include "waits/waits.h"

#include "base/memory.h"
#include "waits/spin_waits.h"

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
    wait_list_fill(&waits->list, &waits->vertices);
    spin_waits_add(&waits->list, &waits->vertices, run);
    cascade_sweep(&waits->cascade, &waits->list, &waits->vertices);
    device_idle_fill(&waits->idle, &waits->cascade);
    wait_graph_fill(&waits->graph, &waits->cascade, &waits->list, &waits->idle);
    waits->counts = knot_edges(&waits->graph);
    knot_list_find(&waits->knots, &waits->graph, waits->counts);
    waits->support = knot_support_find(&waits->graph, &waits->cascade);
    run_queue_fill(&waits->queue, &waits->graph, &waits->cascade);
    waits->names = run->wait_stacks ? sampled_names_open(run->wait_stacks) : NULL;
    edge_stacks_fill(&waits->stacks, waits->names, run, &waits->cascade, &waits->graph);
    run_stacks_fill(&waits->run_stacks, waits->names, run, &waits->graph, side);
    running_fill(&waits->running, &waits->graph, &waits->cascade);
    spin_doubts_fill(&waits->spins, waits->names, &waits->run_stacks, run, &waits->graph);
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
    memory_free(waits->counts);
    memory_free(waits->support);
    run_queue_release(&waits->queue);
    edge_stacks_release(&waits->stacks);
    run_stacks_release(&waits->run_stacks);
    spin_doubts_release(&waits->spins);
    if (waits->names)
        sampled_names_close(waits->names);
    running_release(&waits->running);
    wait_graph_release(&waits->graph);
    device_idle_release(&waits->idle);
    cascade_release(&waits->cascade);
    wait_list_release(&waits->list);
    memory_free(waits);
}
