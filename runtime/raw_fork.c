#include "runtime/raw_fork.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/fork.h"
#include "runtime/log.h"
#include "runtime/stacks.h"

struct start {
    int (*routine)(void *);
    void *arg;
};

void raw_fork_begin(void)
{
    fork_begin();
}

void raw_fork_end(int result)
{
    if (result == 0)
        fork_child();
    else
        fork_parent();
}

/* A child of vfork stops its parent until it is gone, or another program. */
static bool shares_log(uint64_t flags)
{
    return flags & CLONE_VM && !(flags & (CLONE_VFORK | CLONE_SETTLS));
}

static int child_main(void *arg)
{
    struct start start = *(struct start *)arg;
    fork_child();
    return start.routine(start.arg);
}

static int clone_with(const struct start *start, void *stack, int flags, const long *more)
{
    return clone(start->routine, stack, flags, start->arg, (void *)more[0], (void *)more[1],
                 (void *)more[2]);
}

static int clone_process(struct start start, void *stack, int flags, const long *more)
{
    struct start own = {child_main, &start};
    fork_begin();
    int pid = clone_with(&own, stack, flags, more);
    fork_parent();
    return pid;
}

int raw_fork_clone(unsigned site, int (*routine)(void *), void *stack, int flags, void *arg,
                   const long *more)
{
    struct start start = {routine, arg};
    (void)site;
    if (!(flags & CLONE_VM))
        return clone_process(start, stack, flags, more);
    if (!shares_log((uint64_t)flags))
        return clone_with(&start, stack, flags, more);
    uint32_t epoch = stacks_stop();
    log_pause();
    int pid = clone_with(&start, stack, flags, more);
    if (pid < 0) {
        log_resume();
        stacks_go_on(epoch);
    }
    return pid;
}

static uint64_t flags_of(long number, const long *a)
{
    uint64_t flags = (uint64_t)a[0];
#ifdef SYS_fork
    if (number == SYS_fork)
        return 0;
#endif
#ifdef SYS_clone3
    if (number == SYS_clone3 && a[0])
        memcpy(&flags, (const void *)a[0], sizeof flags);
#endif
    (void)number;
    return flags;
}

static long system_call(long number, const long *a)
{
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A child with the same memory can't come back through the frames of the parent that waits here. */
long raw_fork_system(unsigned site, long number, const long *arguments)
{
    (void)site;
    if (flags_of(number, arguments) & CLONE_VM)
        return system_call(number, arguments);
    fork_begin();
    long pid = system_call(number, arguments);
    raw_fork_end(pid != 0);
    return pid;
}
