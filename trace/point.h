/* point.h - when threads came to points that a recorder watched: entries and returns of functions,
 * static probes, system calls on descriptors.
 *
 *     point 1   wish 1, ENTER, "handle_request"
 *     point 2   wish 1, LEAVE, "handle_request"
 *     hit       at 5.20 ms thread 7 came to point 1
 *     hit       at 7.94 ms thread 7 came to point 2           a call of 2.74 ms
 *
 * Points of one wish belong together (trace_format.h, enum trace_point_role); what requests follow from
 * the hits is for those who read them.
 */
#ifndef TRACE_POINT_H
#define TRACE_POINT_H

#include "trace/timeline.h"

struct point {
    uint32_t wish; /* from 1; in joined runs each run has its own */
    uint8_t role;  /* enum trace_point_role */
    bool
        by_value; /* hits of one value are of one request, else those of one thread; of ENTER: a call
                       * may come there several times */
    const char *name; /* of the function or probe, as its author wrote it */
    time_ns closed;   /* from then on it was not watched any more; INT64_MAX: it was to the end */
};

struct point_hit {
    time_ns time;
    uint32_t pid, tid;
    uint32_t point; /* index in the run's points */
    bool unknown;   /* the value could not be read */
    uint64_t value, second;
};

/* Hits of a processor were lost in [from, until]; 0 hits: nothing was watched, on no processor. */
struct point_loss {
    time_ns from, until;
    uint64_t hits;
};

/* Points were watched in [from, until]. */
struct point_time {
    time_ns from, until;
};

/* A run's. */
struct point_hits {
    struct point *points;
    uint32_t point_count, wish_count;
    struct point_hit *items; /* by time */
    size_t count;
    struct point_loss *losses; /* by their ends */
    size_t loss_count;
    struct point_time *times; /* of each recorder's file */
    uint32_t time_count;
};

#endif
