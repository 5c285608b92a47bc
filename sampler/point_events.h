/* point_events.h - perf events at the places of a plan, and what they tell, in order of time.
 *
 *     struct point_events events;
 *     if (point_events_open(&events, &plan, ring_bytes, &error)) ...
 *     point_events_look(&events, until_ns);
 *     while (point_events_next(&events, &seen)) ...
 *     point_events_close(&events);
 *
 * Probes of instructions are the kernel's uprobes, opened by perf_event_open alone (PMU "uprobe": the
 * file and the offset in it; nothing is written to tracefs, and all is gone with the descriptors). They
 * are of the file, for each processor and not for a process: so a process that begins later, or a thread
 * of one that runs already, is seen without a gap, and there are as many descriptors as places times
 * processors, not times threads. Other processes of that file come to them, too: what they do is left
 * out by whoever reads. It needs CAP_PERFMON, whatever kernel.perf_event_paranoid is. In a pause they are
 * closed: a probe that is merely open costs whoever comes to it, told or not. One thread at a time.
 */
#ifndef SAMPLER_POINT_EVENTS_H
#define SAMPLER_POINT_EVENTS_H

#include "base/error.h"
#include "base/hash_map.h"
#include "sampler/foreign_threads.h"
#include "sampler/perf_rings.h"
#include "sampler/point_plan.h"
#include "sampler/socket_calls.h"

/* What a processor told of a moment. */
struct point_seen {
    uint64_t time_ns;
    uint64_t lost; /* so many hits before it; 0: it is a hit */
    uint32_t processor, pid, tid;
    uint32_t point; /* index in the plan's points */
    bool unknown;   /* the value could not be read */
    bool pauses;    /* it is no hit: watching ends here, or begins again */
    bool is_call;   /* on a descriptor; ... */
    bool is_socket; /* ... which is a socket for sure */
    uint64_t value, second;
};

struct point_head {
    struct point_seen seen;
    bool there;
};

struct opened_event {
    int fd;
    uint32_t point; /* a call on a descriptor is of several: UINT32_MAX */
};

struct opened_events {
    struct opened_event *items;
    size_t count, capacity;
};

/* While events with another filter take the place of those before, both tell of a call, one right behind the other. */
struct point_call {
    uint64_t event, time_ns, value, second;
    uint32_t tid;
    bool told_once;
};

struct point_events {
    const struct point_plan *plan; /* borrowed */
    struct perf_rings rings;
    struct hash_map
        sources; /* id of an event -> 1 + place, or behind the places SOCKET_WAYS more */
    struct socket_layout sockets;
    uint32_t call_points[TRACE_POINT_ROLES]; /* by role: 1 + index of the point; 0: none */
    uint32_t uprobe_type;                    /* of the PMU */
    struct opened_events places, calls;      /* all but the rings' own; none in a pause */
    struct point_call *latest_calls;         /* by ring and way */
    bool *closed;                            /* by point: for good */
    struct foreign_threads foreign;          /* whose calls on descriptors are not told of */
    struct point_head *heads;                /* by ring */
    uint64_t *lost;                          /* by ring: that were told, ... */
    uint64_t *closed_lost;                   /* ... and that events lost which are closed */
    uint64_t until_ns;
};

/* ERROR_SYSTEM: it is not allowed, or this kernel cannot; the message has the cure. */
bool point_events_open(struct point_events *events, const struct point_plan *plan,
                       size_t ring_bytes, struct error *error);
/* Looks what there is by now; what is younger than that may still be overtaken by another processor. */
void point_events_look(struct point_events *events, uint64_t until_ns);
bool point_events_next(struct point_events *events, struct point_seen *seen);
/* Who is to be left out of calls on descriptors has changed: no call is missed meanwhile. */
void point_events_filter(struct point_events *events);
/* False: they cannot be opened again, and are still closed. */
bool point_events_resume(struct point_events *events);
/* What is in the rings is still there, and so is what was lost. */
void point_events_pause(struct point_events *events);
/* No more hits of the point from here on, but for those that are in the rings already. */
void point_events_close_point(struct point_events *events, uint32_t point);
/* What found no room and could not be told, of the ring of that index. */
uint64_t point_events_untold(const struct point_events *events, uint32_t ring);
void point_events_close(struct point_events *events);

#endif
