/* view.h - one interval of a run as tracks: the threads that worked for it, those that
 * woke them while they did, and those that woke these while they kept them waiting.
 *
 *     struct interval_source source;
 *     interval_source_init(&source, &run, &functions);
 *     struct interval_view view;
 *     interval_view_make(&view, &source, &(struct interval_wish){interval, 17, "slowest", 64, 0});
 *     view.view                                           for interval/track.h
 *     interval_view_release(&view);
 *     interval_source_release(&source);
 *
 * All that a thread did between the interval's begin and end is shown, cut to that; where more was
 * done than is wished for, the shortest is left out. Names are those of the tree; they belong to
 * the source, which borrows the run and the functions.
 */
#ifndef INTERVAL_VIEW_H
#define INTERVAL_VIEW_H

#include "interval/track.h"
#include "symbol/callee_table.h"
#include "trace/span_walk.h"
#include "trace/timeline.h"

struct interval_source {
    const struct timelines *run;
    struct callee_table callees;
    struct span_walk walk;
};

void interval_source_init(struct interval_source *source, const struct timelines *run,
                          const struct function_table *functions);
/* Once no more views are made of it: what was read is given back, the names stay. */
void interval_source_close(struct interval_source *source);
void interval_source_release(struct interval_source *source);

struct interval_wish {
    uint32_t interval;
    uint32_t number;  /* its row in intervals.csv, for its name */
    const char *what; /* "slowest" */
    uint32_t most_tracks;
    uint32_t most_spans; /* 0: all */
    bool processors;     /* who had them, where the kernel was recorded */
};

struct interval_view {
    struct track_view view;
    struct arena arena;
};

void interval_view_make(struct interval_view *view, struct interval_source *source,
                        const struct interval_wish *wish);
void interval_view_release(struct interval_view *view);

#endif
