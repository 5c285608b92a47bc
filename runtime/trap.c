#include "runtime/trap.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/system.h"

enum { TRAP_OF_PERF = 6 /* si_code of Linux 5.13 and later */ };
/* What an event is opened with tells ours from the program's own. */
#define TRAP_MARK UINT64_C(0x7670726f66000000)
enum { MOST_EVENTS = 8 };

static struct {
    void (*take[TRAP_KINDS])(const void *context);
    bool taken;
    uint32_t index; /* of the next that is the program's: a handler never sees it half written */
    struct sigaction wants[2]; /* of a trap that is not ours */
    int fds[MOST_EVENTS];      /* each one more; 0: none */
} traps;

static const struct sigaction *wanted_now(void)
{
    return &traps.wants[__atomic_load_n(&traps.index, __ATOMIC_ACQUIRE)];
}

static void set_wanted(const struct sigaction *wanted)
{
    uint32_t other = !traps.index;
    traps.wants[other] = *wanted;
    __atomic_store_n(&traps.index, other, __ATOMIC_RELEASE);
}

/* ---- the signal ---- */

static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *wanted = wanted_now();
    if (wanted->sa_flags & SA_SIGINFO)
        wanted->sa_sigaction(number, info, context);
    else if (wanted->sa_handler != SIG_DFL && wanted->sa_handler != SIG_IGN)
        wanted->sa_handler(number);
    else if (wanted->sa_handler == SIG_DFL) {
        signal(number, SIG_DFL);
        raise(number); /* it is blocked here: it comes when this returns */
    }
}

/* What the event was opened with stands behind si_addr, which libc's own type does not know yet. */
static uint64_t kind_of(const siginfo_t *info)
{
    uint64_t kind;
    memcpy(&kind, (const char *)&info->si_addr + sizeof info->si_addr, sizeof kind);
    return kind - TRAP_MARK;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno;
    uint64_t kind = info->si_code == TRAP_OF_PERF ? kind_of(info) : TRAP_KINDS;
    if (kind < TRAP_KINDS && traps.take[kind])
        traps.take[kind](context);
    else
        pass_on(number, info, context);
    errno = error;
}

bool trap_is_ours(void)
{
    struct sigaction now;
    return sigaction(SIGTRAP, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
           now.sa_sigaction == on_signal;
}

static bool take_signal(void)
{
    struct sigaction ours = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK},
                     before;
    sigset_t trap;
    sigfillset(&ours.sa_mask);
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    if (sigaction(SIGTRAP, NULL, &before) != 0)
        return false;
    set_wanted(&before);
    traps.taken = sigaction(SIGTRAP, &ours, NULL) == 0;
    if (traps.taken)
        pthread_sigmask(SIG_UNBLOCK, &trap, NULL);
    return traps.taken;
}

bool trap_start(enum trap_kind kind, void (*take)(const void *context))
{
    traps.take[kind] = take;
    return trap_is_ours() || take_signal();
}

/* ---- what the program does with signals ---- */

int trap_action(int number, const struct sigaction *wanted, struct sigaction *before)
{
    if (number != SIGTRAP || !traps.taken)
        return sigaction(number, wanted, before);
    const struct sigaction was = *wanted_now();
    if (wanted)
        set_wanted(wanted);
    if (before)
        *before = was;
    return 0;
}

sighandler_t trap_signal(int number, sighandler_t wanted)
{
    if (number != SIGTRAP || !traps.taken)
        return signal(number, wanted);
    const struct sigaction was = *wanted_now();
    struct sigaction action = {.sa_handler = wanted, .sa_flags = SA_RESTART};
    set_wanted(&action);
    return was.sa_handler;
}

/* All signals are blocked by many a thread that computes. */
static const sigset_t *without_trap(int how, const sigset_t *wanted, sigset_t *room)
{
    if (!wanted || !traps.taken || how == SIG_UNBLOCK)
        return wanted;
    *room = *wanted;
    sigdelset(room, SIGTRAP);
    return room;
}

int trap_process_mask(int how, const sigset_t *wanted, sigset_t *before)
{
    sigset_t room;
    return sigprocmask(how, without_trap(how, wanted, &room), before);
}

int trap_thread_mask(int how, const sigset_t *wanted, sigset_t *before)
{
    sigset_t room;
    return pthread_sigmask(how, without_trap(how, wanted, &room), before);
}

/* ---- the events ---- */

static void replace(int fd, int by)
{
    for (int i = 0; i < MOST_EVENTS; i++)
        if (traps.fds[i] == fd) {
            traps.fds[i] = by;
            return;
        }
}

int trap_event_open(enum trap_kind kind, struct perf_event_attr *event)
{
    event->size = sizeof *event;
    event->disabled = 1;
    event->inherit = 1;
    event->inherit_thread = 1;
    event->exclude_kernel = 1;
    event->exclude_hv = 1;
    event->sigtrap = 1;
    event->sig_data = TRAP_MARK + kind;
    event->remove_on_exec = 1;
    int fd = (int)syscall(SYS_perf_event_open, event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return fd;
    fd = (int)system_move_high(fd);
    replace(0, fd + 1);
    return fd;
}

bool trap_event_is_open(int fd)
{
    static const char name[] = "anon_inode:[perf_event]";
    char link[32], target[sizeof name] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = fd < 0 ? -1 : syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target);
    return length == sizeof name - 1 && memcmp(target, name, sizeof name - 1) == 0;
}

void trap_event_enable(int fd, bool on)
{
    if (trap_event_is_open(fd))
        ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void trap_event_close(int fd)
{
    if (fd >= 0)
        replace(fd + 1, 0);
    if (trap_event_is_open(fd))
        system_close(fd);
}

bool trap_event_has(int fd)
{
    bool has = false;
    for (int i = 0; i < MOST_EVENTS && !has; i++)
        has = fd >= 0 && traps.fds[i] == fd + 1 && trap_event_is_open(fd);
    return has;
}
