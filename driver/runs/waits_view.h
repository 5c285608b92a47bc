/* waits_view.h - what the threads of a run did in a window of it, as tracks for viewers of timelines.
 *
 *     worker (1003)       |-runs-|-waits for log-writer (1004)-|-wants a processor-|-runs-|
 *                                                              ^
 *     log-writer (1004)   |-waits for disk vda-------|-runs----|-----                        an arrow
 *
 * Who wakes a thread of the run has a track too. Owns everything but the run.
 */
#ifndef DRIVER_RUNS_WAITS_VIEW_H
#define DRIVER_RUNS_WAITS_VIEW_H

#include "base/arena.h"
#include "interval/track.h"
#include "symbol/callee_table.h"
#include "waits/waits.h"

struct waits_view {
    struct track_view view;
    struct arena arena;
    struct callee_table callees;
};

/* Times are ns since `from`. */
void waits_view_make(struct waits_view *view, const struct waits *waits,
                     const struct timelines *run, time_ns from, time_ns until);
void waits_view_release(struct waits_view *view);

#endif
