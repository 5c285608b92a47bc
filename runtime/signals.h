/* signals.h - no signal handler of the thread comes in between.
 *
 *     struct signal_set before = signals_block();
 *     ...                               no handler of this thread, not even libc's own
 *     signals_restore(before);
 *
 * Signal-safe; errno is kept.
 */
#ifndef RUNTIME_SIGNALS_H
#define RUNTIME_SIGNALS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's signal set has 64 signals on all Linux machines that we know of but MIPS. */
struct signal_set {
    uint64_t bits;
};

static inline struct signal_set signals_block(void)
{
    struct signal_set all = {~UINT64_C(0)}, before = {0};
    syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, &before, sizeof all.bits);
    return before;
}

static inline void signals_restore(struct signal_set before)
{
    syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &before, NULL, sizeof before.bits);
}

#endif
