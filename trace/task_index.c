#include "trace/task_index.h"

#include "base/memory.h"

void task_index_init(struct task_index *index, const struct kernel_side *side)
{
    *index = (struct task_index){
        .side = side, .before = memory_zeroed((side->task_count + 1) * sizeof *index->before)};
    for (uint32_t t = 1; t < side->task_count; t++) {
        const struct kernel_task *task = &side->tasks[t];
        uint64_t *last = hash_map_put(&index->last, (uint64_t)task->pid << 32 | task->tid);
        index->before[t] = (uint32_t)*last;
        *last = 1 + t;
    }
}

void task_index_release(struct task_index *index)
{
    hash_map_release(&index->last);
    memory_free(index->before);
    *index = (struct task_index){0};
}

uint32_t task_index_find(const struct task_index *index, uint32_t pid, uint32_t tid, time_ns time)
{
    const uint64_t *last = hash_map_get(&index->last, (uint64_t)pid << 32 | tid);
    if (!last)
        return TASK_NONE;
    uint32_t task = (uint32_t)*last - 1;
    while (index->side->tasks[task].seen > time && index->before[task])
        task = index->before[task] - 1;
    return task;
}
