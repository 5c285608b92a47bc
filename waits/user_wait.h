/* user_wait.h - what the program's own record tells of waits that the kernel does not know.
 *
 *     kernel     |- off, woken by 8 -| runs |-- off, woken by 9 --|      wrappers: the first wake was in vain
 *     waits      |----------------- for 9 ------------------------|      one wait
 *
 *     kernel     runs                                                    wrappers: it spins for a lock of 9
 *     waits          |------ for 9 ------|
 *
 * A thread that is woken, finds that it has to wait, and waits again for the same has waited all the time, for
 * who woke it at last (trace/waker.h tells which wakes were in vain: a condition that is waited for again with
 * nothing done between, or VPROF_FALSE_WAKEUP). One that spins, between VPROF_SPIN_BEGIN and _END, has a
 * processor and waits: until the lock was let go, but for what it waited meanwhile, in the kernel. (wPerf,
 * OSDI'18, 3.5.)
 */
#ifndef WAITS_USER_WAIT_H
#define WAITS_USER_WAIT_H

#include "waits/vertex_table.h"
#include "waits/wait.h"

struct user_waits {
    uint64_t in_vain; /* wakes that were, and that were merged forward */
    uint64_t spins;
    uint32_t *task_of; /* by thread of the run: its task, or TASK_NONE */
};

struct waits_of_task {
    struct wait *items; /* by beginning; none of them overlap */
    size_t count, capacity;
};

/* Of the vertices' run; where that has no record of its own, nothing changes. */
void user_waits_init(struct user_waits *user, const struct vertex_table *vertices);
void user_waits_apply(struct user_waits *user, const struct vertex_table *vertices, uint32_t task,
                      struct waits_of_task *waits);
void user_waits_release(struct user_waits *user);

#endif
