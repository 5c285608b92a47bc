/* task_name.h - what threads are called when they are put together: by what they do, where that is told.
 *
 *     kernel's worker   kworker/u8:3     kworker/u8             its pool (worker_pool.h)
 *     process           postgres         postgres: walwriter    its title's role (title_role.h), where processes
 *                                                               of one name differ in it; else that of its
 *                                                               stacks (process_role.h)
 *     thread            log-writer       log-writer             else its name
 *
 *     struct task_names names;
 *     task_names_init(&names, side, roles, &kept);     kept: an intern that holds what is not in the run
 *     task_names_get(&names, task), task_names_process(&names, pid)
 *     task_names_release(&names);
 */
#ifndef TRACE_TASK_NAME_H
#define TRACE_TASK_NAME_H

#include "base/hash_map.h"
#include "trace/off_cpu.h"

struct task_names {
    const struct kernel_side *side; /* borrowed */
    struct hash_map first_of;       /* tid -> 1 + the first task of it */
    const char **names;             /* by task; borrowed */
};

/* `roles`, by task: those of the stacks; NULL: none is known. */
void task_names_init(struct task_names *names, const struct kernel_side *side,
                     const char *const *roles, struct intern *kept);
/* They last as long as the run and what was kept. */
const char *task_names_get(const struct task_names *names, uint32_t task);
/* A process is called what its first thread is; "" where that is not known. */
const char *task_names_process(const struct task_names *names, uint32_t pid);
void task_names_release(struct task_names *names);

#endif
