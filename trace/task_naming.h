/* task_naming.h - what kernel tasks, and groups of alike ones, are called.
 *
 *     task_naming_process(&naming, task->pid)     what its first thread is called
 *     task_naming_stem(&naming, "worker-12")      "worker-#", as that of "worker-3"
 *     task_naming_routine(&naming, run, task)     two of one start function are alike, if they are not the first
 *                                                 threads of their processes
 *
 * Borrows the kernel's side; names that no task has are its own.
 */
#ifndef TRACE_TASK_NAMING_H
#define TRACE_TASK_NAMING_H

#include "base/hash_map.h"
#include "trace/task_name.h"

struct task_naming {
    const struct kernel_side *side;
    struct task_names names;
    struct intern kept; /* names that no task has */
};

/* `roles`, by task: what its stacks tell (task_name.h); NULL: nothing is known of them. */
void task_naming_init(struct task_naming *naming, const struct kernel_side *side,
                      const char *const *roles);
void task_naming_release(struct task_naming *naming);
/* What a task is called, which its group has to be told apart by (task_name.h). */
const char *task_naming_name(const struct task_naming *naming, uint32_t task);
/* "" where the process's first thread was never seen. */
const char *task_naming_process(const struct task_naming *naming, uint32_t pid);
const char *task_naming_stem(struct task_naming *naming, const char *name);
/* The thread that a process begins with. */
bool task_naming_is_main(const struct task_naming *naming, uint32_t task);
/* The address of its start function; 0: it is not known, or it is a process's first thread. */
uint64_t task_naming_routine(const struct task_naming *naming, const struct timelines *run,
                             uint32_t task);

#endif
