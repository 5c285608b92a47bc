#include "runtime/step.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/claim.h"
#include "runtime/system.h"

/* An event's length can't be changed for the threads that have it already. */
static const uint32_t lengths_ns[] = {100000, 250000, 1000000};
enum { LENGTHS = sizeof lengths_ns / sizeof lengths_ns[0], NONE = LENGTHS };
enum { TRAP_OF_PERF = 6 /* si_code of Linux 5.13 and later */ };

static struct {
    void (*take)(const struct step *step);
    int fds[LENGTHS];
    uint32_t on; /* index, or NONE */
    uint32_t busy;
    bool open;
    bool stale; /* the descriptors are those of the parent's events */
    struct sigaction before;
} steps = {.on = NONE};

/* ---- the signal ---- */

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (steps.before.sa_flags & SA_SIGINFO)
        steps.before.sa_sigaction(number, info, context);
    else if (steps.before.sa_handler != SIG_DFL && steps.before.sa_handler != SIG_IGN)
        steps.before.sa_handler(number);
    else if (steps.before.sa_handler == SIG_DFL) {
        signal(number, SIG_DFL);
        raise(number); /* it is blocked here: it comes when this returns */
    }
}

static struct step step_of(const void *context)
{
    const ucontext_t *c = context;
    uint32_t on = __atomic_load_n(&steps.on, __ATOMIC_RELAXED);
    struct step step = {.length_ns = on < LENGTHS ? lengths_ns[on] : 0};
#if defined(__x86_64__)
    step.at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    step.frame = (uintptr_t)c->uc_mcontext.gregs[REG_RBP];
    step.stack = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    step.at = (uintptr_t)c->uc_mcontext.pc;
    step.frame = (uintptr_t)c->uc_mcontext.regs[29];
    step.stack = (uintptr_t)c->uc_mcontext.sp;
    step.link = (uintptr_t)c->uc_mcontext.regs[30];
#else
    (void)c;
#endif
    return step;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno;
    struct step step = step_of(context);
    if (info->si_code == TRAP_OF_PERF)
        steps.take(&step);
    else
        pass_on(number, info, context);
    errno = error;
}

static bool signal_is_ours(void)
{
    struct sigaction now;
    return sigaction(SIGTRAP, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
           now.sa_sigaction == on_signal;
}

static bool take_signal(void)
{
    struct sigaction ours = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&ours.sa_mask);
    return sigaction(SIGTRAP, &ours, &steps.before) == 0;
}

/* ---- the events ---- */

static int open_event(uint32_t length_ns)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .sample_period = length_ns,
                                    .disabled = 1,
                                    .inherit = 1,
                                    .inherit_thread = 1,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1,
                                    .sigtrap = 1,
                                    .remove_on_exec = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The program may have closed the descriptor, and have given its number to another file. */
static bool is_event(int fd)
{
    static const char name[] = "anon_inode:[perf_event]";
    char link[32], target[sizeof name] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = fd < 0 ? -1 : syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target);
    return length == sizeof name - 1 && memcmp(target, name, sizeof name - 1) == 0;
}

static void close_events(void)
{
    for (int i = 0; i < LENGTHS; i++)
        if (is_event(steps.fds[i]))
            system_close(steps.fds[i]);
}

static bool open_events(void)
{
    bool all = true;
    for (int i = 0; i < LENGTHS; i++) {
        int fd = open_event(lengths_ns[i]);
        steps.fds[i] = fd < 0 ? fd : (int)system_move_high(fd);
        all = all && steps.fds[i] >= 0;
    }
    steps.on = NONE;
    return all;
}

static void set(uint32_t index, unsigned long what)
{
    if (index != NONE && is_event(steps.fds[index]))
        ioctl(steps.fds[index], what, 0);
}

static uint32_t index_of(uint32_t ns)
{
    uint32_t index = 0;
    while (index + 1 < LENGTHS && lengths_ns[index + 1] <= ns)
        index++;
    return ns ? index : NONE;
}

static void renew(void)
{
    if (!steps.stale)
        return;
    steps.stale = false;
    close_events();
    steps.open = open_events();
}

void step_every(uint32_t ns)
{
    uint32_t index = steps.open && signal_is_ours() ? index_of(ns) : NONE;
    if (!steps.open || (index == steps.on && !steps.stale) ||
        __atomic_exchange_n(&steps.busy, 1, __ATOMIC_ACQUIRE))
        return;
    renew();
    if (index != steps.on) {
        set(steps.on, PERF_EVENT_IOC_DISABLE);
        set(index, PERF_EVENT_IOC_ENABLE);
        steps.on = index;
    }
    claim_release(&steps.busy);
}

bool step_start(void (*take)(const struct step *step))
{
    steps.take = take;
    steps.open = take_signal() && open_events();
    return steps.open;
}

void step_forked(void)
{
    steps.stale = true;
    steps.busy = 0;
}
