/* work_wait.h - what threads waited for only to be given work, or for each other: nobody's fault by itself.
 *
 *     struct work_waits waits;
 *     work_waits_init(&waits, &times, &groups);
 *     if (work_wait_is(&waits, group, &times.reasons[0])) ...
 *     work_waits_release(&waits);
 *
 * For work threads wait
 *
 *     whatever the function is     for the network, or another program, be it of the run or not;
 *     in epoll_wait and its like   for anything but a disk (asking_call.h), or a process of their own kind;
 *     of a group that hardly runs  for a timer, or another thread, but for locks.
 *
 * Borrows the times and the groups.
 */
#ifndef STACKS_WORK_WAIT_H
#define STACKS_WORK_WAIT_H

#include "stacks/context_times.h"

/* A group that runs for less of its time hardly runs (chosen). */
#define WORK_LEAST_RAN 0.01

struct work_waits {
    const struct context_times *times;
    const struct thread_groups *groups;
    bool *hardly_runs; /* by group */
};

void work_waits_init(struct work_waits *waits, const struct context_times *times,
                     const struct thread_groups *groups);
void work_waits_release(struct work_waits *waits);
/* The reason is one of the times'. */
bool work_wait_is(const struct work_waits *waits, uint32_t group,
                  const struct context_reason *reason);
/* It is for another thread of the run, but no lock: what that one did tells more. */
bool work_wait_is_for_others(const struct work_waits *waits, const struct context_reason *reason);

/* Who stands for a node: its next caller that has a name, and is not the kernel's; or itself. A stripped program's
 * function is known by where it begins, and none of another file stands for it: a library that calls it
 * back knows nothing of it. */
uint32_t context_told_as(const struct context_tree *tree, uint32_t node);

#endif
