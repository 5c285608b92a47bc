/* interval_view.h - one interval of a run as tracks: the threads that worked for it, those that
 * woke them meanwhile, and those that woke these; 64 threads at the most.
 *
 *     struct interval_view view;
 *     interval_view_make(&view, &run, &callees, interval, "slowest");
 *     view.view                                           for report/track.h
 *     interval_view_release(&view);
 *
 * All that a thread did between the interval's begin and end is shown, cut to that. Names are those
 * of the tree; they belong to the callees.
 */
#ifndef DRIVER_INTERVAL_VIEW_H
#define DRIVER_INTERVAL_VIEW_H

#include "report/track.h"
#include "trace/timeline.h"
#include "variance/callee_table.h"

struct interval_view {
    struct track_view view;
    struct arena arena;
};

/* `number` is the interval's row in intervals.csv, for its name. */
void interval_view_make(struct interval_view *view, const struct timelines *run,
                        struct callee_table *callees, uint32_t interval, uint32_t number,
                        const char *what);
void interval_view_release(struct interval_view *view);

#endif
