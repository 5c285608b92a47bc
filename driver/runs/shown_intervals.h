/* shown_intervals.h - the intervals that a report shows as timelines: a typical one (nearest to
 * p50), a slow one (nearest to p99) and the slowest; one that is two of these is shown once.
 *
 *     struct shown_intervals shown;
 *     shown_intervals_make(&shown, &run, &functions, &variance.tree.intervals);
 *     report.timelines = shown.timelines, report.timeline_count = shown.count;
 *     shown_intervals_release(&shown);
 *
 * Their number is bounded, so that the page stays small: 8 threads and 150 calls of each. Borrows
 * the run and the functions.
 */
#ifndef DRIVER_RUNS_SHOWN_INTERVALS_H
#define DRIVER_RUNS_SHOWN_INTERVALS_H

#include "interval/summary.h"
#include "interval/view.h"

enum { MOST_SHOWN_INTERVALS = 3 };

struct shown_intervals {
    struct interval_source source;
    struct interval_view views[MOST_SHOWN_INTERVALS];
    struct track_view timelines[MOST_SHOWN_INTERVALS];
    uint32_t count;
};

void shown_intervals_make(struct shown_intervals *shown, const struct timelines *run,
                          const struct function_table *functions,
                          const struct interval_summary *summary);
void shown_intervals_release(struct shown_intervals *shown);

#endif
