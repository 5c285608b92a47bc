/* track.h - what the threads did during one interval, for viewers of timelines.
 *
 *     track 0, thread 4711   |-serve---------------------------|
 *                              |-parse-| |-blocked: lock------|
 *     track 1, thread 4712       |-compact-----------------|  ^      wake-up from 1 to 0
 *
 * Times are ns since the interval's begin; several views start at 0, so they lie on one scale. The
 * events of a track are in order of time, and every close belongs to the last open: viewers refuse
 * a file otherwise. Borrows everything.
 */
#ifndef REPORT_TRACK_H
#define REPORT_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "variance/variance_tree.h"

struct track_event {
    int64_t at_ns;
    const char *name;
    bool opens;
};

struct track {
    uint32_t pid, tid;
    struct track_event *events;
    size_t event_count;
};

struct track_wake_up {
    uint32_t from, to; /* tracks */
    int64_t from_ns, to_ns;
};

struct track_view {
    const char *name; /* "slowest: interval 17, 19.4 ms" */
    int64_t latency_ns;
    struct track *tracks;
    uint32_t track_count;
    struct track_wake_up *wake_ups;
    uint32_t wake_up_count;
};

/* speedscope's own format: the tree by share of variance and by mean, then each view's tracks. */
void speedscope_write(struct str *out, const struct variance_tree *tree,
                      const struct track_view *views, uint32_t count);
/* Chrome's trace events, for chrome://tracing and Perfetto: a process for each view. */
void chrome_write(struct str *out, const struct track_view *views, uint32_t count);

#endif
