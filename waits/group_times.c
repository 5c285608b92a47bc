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

struct group_time *group_times_find(const struct wait_graph *graph,
                                    const struct vertex_table *vertices)
{
    const struct kernel_side *side = vertices->side;
    struct group_time *times = memory_zeroed((graph->group_count + 1) * sizeof *times);
    for (uint32_t t = 1; t < side->task_count; t++)
        add_offs(&times[graph->group_of[t]], &side->tasks[t]);
    return times;
}
