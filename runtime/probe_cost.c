#include "runtime/probe_cost.h"

#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/signals.h"

/* A clock of coarse steps (10 ns) errs by 2 % over so many calls. Of the batches it is enough that
 * one is not disturbed. */
enum { CALLS = 32, BATCHES = 16 };

/* The log's window is here meanwhile. Only one thread of a process begins to record. */
static struct trace_function window[CALLS] __attribute__((aligned(64)));

static void (*enter)(struct vprof_frame_1 *frame), (*leave)(struct vprof_frame_1 *frame);

static __attribute__((noinline)) uint64_t plain_call(uint64_t x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

static __attribute__((noinline)) uint64_t timed_call(uint64_t x)
{
    struct vprof_frame_1 frame = {0, 0, 1, 0};
    enter(&frame);
    __asm__ volatile("" : "+r"(x));
    leave(&frame);
    return x;
}

static uint64_t batch_ticks(uint64_t (*call)(uint64_t x))
{
    uint64_t x = 1, start = clock_now();
    for (int i = 0; i < CALLS; i++)
        x = call(x);
    __asm__ volatile("" : : "r"(x));
    return clock_now() - start;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct probe_cost measure(void)
{
    uint64_t plain = UINT64_MAX, timed = UINT64_MAX;
    for (int i = 0; i < BATCHES; i++) {
        plain = lesser(plain, batch_ticks(plain_call));
        log_self.direct.cursor = 0;
        timed = lesser(timed, batch_ticks(timed_call));
    }
    if (timed <= plain || timed > UINT32_MAX)
        return (struct probe_cost){0, 0};
    return (struct probe_cost){CALLS, (uint32_t)(timed - plain)};
}

struct probe_cost probe_cost_measure(const struct vprof_hooks_1 *table)
{
    if (!table)
        return (struct probe_cost){0, 0};
    enter = table->enter;
    leave = table->leave;
    if (log_self.state != LOG_NEW || log_self.direct.depth || log_self.direct.jumped)
        return (struct probe_cost){0, 0};
    struct signal_set before = signals_block();
    const uint64_t cursor = log_self.direct.cursor, limit = log_self.direct.limit;
    unsigned char *const was = log_self.direct.window;
    log_self.direct.window = (unsigned char *)window;
    log_self.direct.limit = sizeof window;
    struct probe_cost cost = measure();
    log_self.direct.window = was;
    log_self.direct.limit = limit;
    log_self.direct.cursor = cursor;
    signals_restore(before);
    return cost;
}
