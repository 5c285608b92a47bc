#include "sampler/own_stacks.h"

#include <errno.h>
#include <unistd.h>

#include "sampler/own_events.h"

/* So much of a stack is copied: a ring of a user without rights is short. */
enum { STACK_BYTES = 16 << 10 };
/* A shorter period would fill such a ring before it is read (chosen). */
#define LEAST_NS UINT64_C(1000000)

static void leave_kernel_out(struct perf_event_attr *attr)
{
    attr->exclude_kernel = attr->exclude_hv = 1;
    attr->exclude_callchain_kernel = 1;
}

/* A period that is the thread's for good must not go with what programs do in turns of round ones: each
 * processor has one of its own. */
static uint64_t period_of(uint64_t clock_ns, uint32_t processor)
{
    uint64_t period = clock_ns > LEAST_NS ? clock_ns : LEAST_NS;
    return period + period / 111 + UINT64_C(1009) * (processor % 16);
}

/* A ring needs an event, which is one of this thread that never happens. */
static bool add_place(struct stack_events *events, const struct stack_pace *pace,
                      uint32_t processor)
{
    struct perf_event_attr first = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    leave_kernel_out(&first);
    if (!perf_rings_add_ring(&events->rings, processor, &first, 0))
        return errno == ENODEV;
    events->places[events->rings.count - 1] =
        (struct stack_place){.clock = -1, .every_ns = period_of(pace->clock_ns, processor)};
    return true;
}

bool own_stacks_open(struct stack_events *events, const struct stack_pace *pace, size_t ring_bytes)
{
    static const struct event_layout none = {.own_only = true};
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    bool ok = stack_events_begin(events, &none, STACK_BYTES, ring_bytes);
    for (uint32_t i = 0; ok && i < (uint32_t)processors; i++)
        ok = add_place(events, pace, i);
    if (ok && events->rings.count)
        return true;
    int refused = errno;
    stack_events_close(events);
    errno = refused;
    return false;
}

/* 0, or errno. */
static int add(struct stack_events *events, uint32_t place, struct perf_event_attr *attr, pid_t tid)
{
    leave_kernel_out(attr);
    attr->inherit = 1;
    attr->disabled = events->paused;
    return perf_rings_add(&events->rings, place, attr, tid) < 0 && errno != ESRCH ? errno : 0;
}

static int attach(void *context, pid_t tid)
{
    struct stack_events *events = context;
    int refused = 0;
    for (uint32_t i = 0; i < events->rings.count && !refused; i++) {
        struct perf_event_attr maps = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
        struct perf_event_attr clock = stack_events_attr(
            events, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, events->places[i].every_ns);
        maps.mmap = maps.mmap2 = maps.comm = maps.comm_exec = maps.task = 1;
        refused = add(events, i, &maps, tid);
        refused = refused ? refused : add(events, i, &clock, tid);
    }
    return refused;
}

size_t own_stacks_watch(struct stack_events *events, pid_t pid)
{
    return own_events_each(pid, attach, events);
}
