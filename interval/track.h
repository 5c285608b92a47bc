/* track.h - what the threads did during one interval, for pictures and viewers of timelines.
 *
 *     track 0, thread 4711   |==worked for the interval========|
 *                            |-serve---------------------------|
 *                              |-parse-| |-blocked: lock------|
 *     track 1, thread 4712       |-compact-----------------|  ^      wake-up from 1 to 0
 *
 * Times are ns since the interval's begin; several views start at 0, so they lie on one scale. The
 * events of a track are in order of time, and every close belongs to the last open: viewers refuse
 * a file otherwise. Borrows everything.
 */
#ifndef INTERVAL_TRACK_H
#define INTERVAL_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct track_event {
    int64_t at_ns;
    const char *name;
    bool opens;
    bool blocked; /* the thread waits; its name is "blocked: lock" */
};

struct track_stretch {
    int64_t start_ns, end_ns;
};

struct track {
    uint32_t pid, tid;
    const char *name;                   /* NULL: it is called by its numbers */
    const struct track_stretch *worked; /* for the interval, in order of time */
    size_t worked_count;
    struct track_event *events;
    size_t event_count;
};

/* Tracks: what one did at from_ns let the other go on at to_ns. */
struct track_arrow {
    uint32_t from, to;
    int64_t from_ns, to_ns;
    bool task; /* it was put into a queue and taken out; else the end of a block */
};

struct track_view {
    const char *what; /* "slowest" */
    const char *name; /* "slowest: interval 17, 19.4 ms" */
    const char *type; /* of the interval; "" where none was given */
    uint32_t number;  /* of the interval: its row in intervals.csv */
    int64_t latency_ns;
    struct track *tracks;
    uint32_t track_count;
    struct track_arrow *arrows;
    uint32_t arrow_count;
    int64_t least_ns;  /* calls and blocks shorter than this are left out */
    uint64_t left_out; /* how many */
    uint32_t left_out_tracks;
    struct track *processors; /* who had each of them: no pid, its number as tid */
    uint32_t processor_count;
};

/* A span goes from an open to its close; `depth` of them are around it. */
struct track_span {
    const char *name;
    uint32_t depth;
    bool blocked;
    int64_t start_ns, end_ns;
};

/* The spans stand in the order of their opens; from memory.h, the caller frees them. */
struct track_span *track_spans(const struct track *track, size_t *count);

#endif
