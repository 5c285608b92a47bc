/* thread_group.h - threads that are told together: those of one process's name and one name of their own.
 *
 *     server's first thread     a group by itself
 *     worker-1 .. worker-8      one group, "worker-#", if they have one start function
 *
 * Threads outside of the run are in groups, too, as who wakes others. Borrows the run; names live as long as
 * the groups.
 */
#ifndef STACKS_THREAD_GROUP_H
#define STACKS_THREAD_GROUP_H

#include "trace/task_naming.h"

struct thread_group {
    const char *process, *name;
    bool main;        /* the thread that a process begins with */
    bool of_run;      /* not of another program, nor the kernel's */
    bool client;      /* of another program that is not the kernel's */
    uint32_t threads; /* so many were there */
};

struct thread_groups {
    struct thread_group *items;
    size_t count, capacity;
    uint32_t *of_task; /* by task; the idle one's is no group's */
    struct task_naming naming;
    struct intern kinds; /* by group: all that makes it one */
};

void thread_groups_fill(struct thread_groups *groups, const struct timelines *run);
void thread_groups_release(struct thread_groups *groups);

#endif
