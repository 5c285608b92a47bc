/* right.h - what the recorder may not see, why, and what to do about it, in words. */
#ifndef SAMPLER_RIGHT_H
#define SAMPLER_RIGHT_H

#include <stdbool.h>

#include "base/str.h"
#include "trace/trace_format.h"

/* What stood in the way of a recording of more. */
enum right_lack {
    RIGHT_NONE,
    RIGHT_NOT_ASKED,   /* the caller wanted no more */
    RIGHT_EVENTS,      /* perf_event_open was refused */
    RIGHT_IDS,         /* the kernel's process ids are not those that are seen here */
    RIGHT_TRACEPOINTS, /* the kernel's list of tracepoints cannot be read, or has none of these */
    RIGHT_SYMBOLS      /* the kernel's functions have no names */
};

struct right {
    enum right_lack lack;
    int refused;    /* errno */
    bool unmounted; /* the tracepoints are nowhere to be read, and may not be mounted */
};

/* Sentences: what is unknown for that with `watched`, and the cure. */
void right_missing(struct str *text, struct right right, enum trace_watched watched);
void right_cure(struct str *text, struct right right);

#endif
