#include "waits/group_times.h"

#include "base/memory.h"

static void add_offs(struct group_time *time, const struct kernel_task *task)
{
    for (uint32_t i = 0; i < task->off_count; i++) {
        time->blocked += task->offs[i].woken - task->offs[i].out;
        time->runnable += task->offs[i].in - task->offs[i].woken;
    }
    if (task->open.woken < task->open.in)
        time->blocked += task->open.woken - task->open.out;
}

static void add_uses(struct group_time *times, const struct wait_graph *graph,
                     const struct processor *processor)
{
    for (uint32_t i = 0; i < processor->count; i++) {
        const struct processor_use *use = &processor->uses[i];
        time_ns until = i + 1 < processor->count ? use[1].start : processor->until;
        if (use->task != TASK_NONE && use->task != TASK_IDLE)
            times[graph->group_of[use->task]].ran += until - use->start;
    }
}

struct group_time *group_times_find(const struct wait_graph *graph,
                                    const struct vertex_table *vertices)
{
    const struct kernel_side *side = vertices->side;
    struct group_time *times = memory_zeroed((graph->group_count + 1) * sizeof *times);
    for (uint32_t t = 1; t < side->task_count; t++)
        add_offs(&times[graph->group_of[t]], &side->tasks[t]);
    for (uint32_t p = 0; p < side->processor_count; p++)
        add_uses(times, graph, &side->processors[p]);
    return times;
}
