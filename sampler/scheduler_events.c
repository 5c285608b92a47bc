#include "sampler/scheduler_events.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* So many of the kernel's functions reach from a waking to what began the soft interrupt it is in.
 * Where a host allows less, what there is is taken. */
enum { CHAIN = 64 };

/* The record's context, as the tracepoint's filter sees it: 8 a hard, 16 a soft interrupt. */
static const char in_hard[] = "common_flags & 8";
static const char in_soft[] = "common_flags & 16 && !(common_flags & 8)";

/* What the kernel makes requests of itself for, which a worker of it issues. */
static const char with_flush[] = "rwbs ~ \"F*\"";

static bool add_point(struct perf_rings *rings, uint32_t place, uint64_t id)
{
    if (!id)
        return true;
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_TRACEPOINT, id);
    return perf_rings_add(rings, place, &attr, -1) >= 0;
}

/* -1: not allowed. */
static int add_chained(struct perf_rings *rings, uint32_t place, uint64_t id, const char *filter)
{
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_TRACEPOINT, id);
    attr.exclude_callchain_kernel = 0;
    attr.sample_max_stack = CHAIN;
    int fd = perf_rings_add(rings, place, &attr, -1);
    while (fd < 0 && errno == EOVERFLOW && attr.sample_max_stack > 1) {
        attr.sample_max_stack /= 2;
        fd = perf_rings_add(rings, place, &attr, -1);
    }
    return fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) == 0 ? fd : -1;
}

/* The kernel asks the events of a tracepoint in turn, the latest first: the chain stands before its
 * waking. */
static bool add_wakings(struct perf_rings *rings, uint32_t place, uint64_t id)
{
    if (!add_point(rings, place, id))
        return false;
    rings->chains[place].soft = add_chained(rings, place, id, in_soft);
    rings->chains[place].hard = add_chained(rings, place, id, in_hard);
    return rings->chains[place].soft >= 0 && rings->chains[place].hard >= 0;
}

void scheduler_events_chain(int fd, uint64_t every)
{
    ioctl(fd, PERF_EVENT_IOC_PERIOD, &every);
}

/* Where it is not to be had, flushes are of who issues them. */
static bool add_flushes(struct perf_rings *rings, uint32_t place, uint64_t id)
{
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_TRACEPOINT, id);
    int fd = id ? perf_rings_add(rings, place, &attr, -1) : -1;
    return fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_FILTER, with_flush) == 0;
}

static bool add_faults(struct perf_rings *rings, uint32_t place)
{
    struct perf_event_attr attr =
        perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
    return perf_rings_add(rings, place, &attr, -1) >= 0;
}

/* Where it may not be opened less is known, but enough. */
void scheduler_events_confirm(struct perf_rings *rings, uint32_t place, bool on)
{
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.context_switch = 1;
    attr.disabled = 0;
    perf_rings_confirm(rings, place, &attr, on);
}

static bool add_processor(struct perf_rings *rings, const struct event_layout *layout,
                          uint32_t processor)
{
    struct perf_event_attr births = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    births.task = births.comm = 1;
    if (!perf_rings_add_ring(rings, processor, &births, -1))
        return errno == ENODEV;
    rings->events[rings->event_count - 1].always = true;
    uint32_t place = rings->count - 1;
    return add_point(rings, place, layout->ids[POINT_SWITCH]) &&
           add_wakings(rings, place, layout->ids[POINT_WAKING]) &&
           add_point(rings, place, layout->ids[POINT_NEW]) &&
           add_flushes(rings, place, layout->ids[POINT_FLUSH]) &&
           add_point(rings, place, layout->ids[POINT_INSERT]) &&
           add_point(rings, place, layout->ids[POINT_ISSUE]) &&
           add_point(rings, place, layout->ids[POINT_COMPLETE]) && add_faults(rings, place);
}

bool scheduler_events_allowed(void)
{
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    struct perf_rings rings;
    perf_rings_init(&rings, (size_t)sysconf(_SC_PAGESIZE));
    bool allowed = false;
    for (uint32_t i = 0; !allowed && i < (uint32_t)sysconf(_SC_NPROCESSORS_CONF); i++) {
        allowed = perf_rings_add_ring(&rings, i, &attr, -1);
        if (!allowed && errno != ENODEV)
            break;
    }
    int was = errno;
    perf_rings_close(&rings);
    errno = was;
    return allowed;
}

bool scheduler_events_open(struct perf_rings *rings, const struct event_layout *layout)
{
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (uint32_t i = 0; i < (uint32_t)processors; i++)
        if (!add_processor(rings, layout, i)) {
            int was = errno;
            perf_rings_close(rings);
            errno = was;
            return false;
        }
    return rings->count > 0;
}
