/* point_recorder.h - a thread that writes down when threads of the run came to the points of a plan
 * (point_plan.h, point_events.h). One more recorder's file of a run, "points.vtr".
 *
 *     struct point_recorder *points = point_recorder_start(directory, &plan, &list, &error);
 *     ...
 *     point_recorder_stop(points, &report, &error);
 *
 * Hits of processes that are not in the list are kept for a moment, as the list may learn of a process
 * only after its first hits, and then left out. The file has a bound: the oldest hits make room.
 */
#ifndef SAMPLER_POINT_RECORDER_H
#define SAMPLER_POINT_RECORDER_H

#include "base/error.h"
#include "sampler/point_plan.h"
#include "sampler/watch_list.h"

#define POINT_RECORDER_FILE "points.vtr"

struct point_recorder;

struct point_report {
    uint64_t hits;   /* that were written */
    uint64_t lost;   /* that found no room in the kernel's rings */
    uint64_t others; /* of other processes, which were left out */
    uint64_t
        gone; /* calls on descriptors of which it was too late to ask whether they are sockets */
    uint64_t own_ns; /* the thread's time on a processor */
    uint64_t pauses;
};

/* Borrows the plan and the list; `most_bytes` of the file, 0: no bound. NULL: they cannot be watched; the message
 * has the cure. */
struct point_recorder *point_recorder_start(const char *directory, const struct point_plan *plan,
                                            struct watch_list *list, uint64_t most_bytes,
                                            struct error *error);
/* Soon nothing is watched any more, or all is again. From any thread. */
void point_recorder_pause(struct point_recorder *recorder, bool paused);
/* What it has taken of processors so far, in ns, hits of other processes with it. From any thread. */
uint64_t point_recorder_taken(const struct point_recorder *recorder);
/* Ends it and frees the recorder; the list has all processes by now. False: the file is not whole. */
bool point_recorder_stop(struct point_recorder *recorder, struct point_report *report,
                         struct error *error);

#endif
