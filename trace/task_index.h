/* task_index.h - which kernel task a process, a thread id and a moment mean.
 *
 *     struct task_index index;
 *     task_index_init(&index, run->kernel_side);
 *     uint32_t task = task_index_find(&index, sample->pid, sample->tid, sample->time);
 *
 * The kernel uses ids again: of tasks of one id it is the last one that had been seen by then, else the
 * first one. Borrows the kernel's side.
 */
#ifndef TRACE_TASK_INDEX_H
#define TRACE_TASK_INDEX_H

#include "base/hash_map.h"
#include "trace/off_cpu.h"

struct task_index {
    const struct kernel_side *side;
    struct hash_map last; /* pid << 32 | tid -> 1 + its last task */
    uint32_t *before;     /* by task: 1 + an earlier one of its ids, or 0 */
};

void task_index_init(struct task_index *index, const struct kernel_side *side);
void task_index_release(struct task_index *index);
/* TASK_NONE: there is none of these ids. */
uint32_t task_index_find(const struct task_index *index, uint32_t pid, uint32_t tid, time_ns time);

#endif
