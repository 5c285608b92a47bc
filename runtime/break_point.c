#include "runtime/break_point.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "runtime/clock.h"
#include "runtime/trap.h"

#if defined(__x86_64__)
enum { IS_STEPPED_OVER = 1 };
#else
enum { IS_STEPPED_OVER = 0 };
#endif
enum { TRIES = 16 };

static struct {
    void (*came)(void);
    uintptr_t addresses[BREAK_POINTS];
    int fds[BREAK_POINTS];
    size_t count;
    uint64_t cost_ns;
    bool open;
} points;

static void come(const void *context)
{
    (void)context;
    points.came();
}

/* On x86 an instruction's length is told as that of a long. */
static int open_point(uintptr_t address)
{
    struct perf_event_attr event = {.type = PERF_TYPE_BREAKPOINT,
                                    .bp_type = HW_BREAKPOINT_X,
                                    .bp_addr = address,
                                    .bp_len = sizeof(long),
                                    .sample_period = 1};
    return trap_event_open(TRAP_BREAK, &event);
}

static void close_points(void)
{
    for (size_t i = 0; i < points.count; i++)
        trap_event_close(points.fds[i]);
    points.open = false;
}

static int open_points(void)
{
    int error = 0;
    for (size_t i = 0; i < points.count; i++) {
        points.fds[i] = error ? -1 : open_point(points.addresses[i]);
        if (points.fds[i] < 0 && !error)
            error = errno;
    }
    for (size_t i = 0; i < points.count && !error; i++)
        trap_event_enable(points.fds[i], true);
    points.open = !error;
    if (error)
        close_points();
    return error;
}

/* ---- what each costs ---- */

static void nothing(void)
{
}

static __attribute__((noinline)) void place(void)
{
    __asm__ volatile("");
}

static uint64_t call_ns(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_now();
        place();
        uint64_t ns = clock_ns(clock_now() - before);
        least = ns < least ? ns : least;
    }
    return least;
}

static void measure(void)
{
    int fd = open_point((uintptr_t)place);
    if (fd < 0)
        return;
    points.came = nothing;
    trap_event_enable(fd, true);
    points.cost_ns = call_ns();
    trap_event_close(fd);
}

uint64_t break_point_ns(void)
{
    return points.cost_ns;
}

/* ---- the process ---- */

int break_point_start(const uintptr_t *addresses, size_t count, void (*came)(void))
{
    if (!IS_STEPPED_OVER)
        return EOPNOTSUPP;
    if (count > BREAK_POINTS)
        return ENOSPC;
    if (!trap_start(TRAP_BREAK, come))
        return EINVAL;
    measure();
    points.came = came;
    points.count = count;
    for (size_t i = 0; i < count; i++)
        points.addresses[i] = addresses[i];
    return open_points();
}

int break_point_forked(void)
{
    if (!points.open)
        return EBADF;
    close_points();
    return open_points();
}

bool break_point_check(void)
{
    if (!__atomic_load_n(&points.open, __ATOMIC_RELAXED))
        return true;
    bool ours = trap_is_ours();
    for (size_t i = 0; i < points.count; i++)
        ours = ours && trap_event_is_open(points.fds[i]);
    if (ours || !__atomic_exchange_n(&points.open, false, __ATOMIC_RELAXED))
        return true;
    close_points();
    return false;
}
