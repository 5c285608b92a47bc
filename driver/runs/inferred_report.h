/* inferred_report.h - the report of `iterate` of a program as it is: its requests are told by points that a
 * recorder watched, and what they did by stacks that it saw.
 *
 *     struct inferred_report inferred = {0};
 *     inferred_report_prepare(&inferred, &run, false);        its requests become the run's intervals
 *     ... stacks_find(&run, ...) ...
 *     if (inferred_report_make(&inferred, &run, stacks, words, &error))
 *         outcome_print(&inferred.outcome, false), outcome_write(&inferred.outcome, folder, &error)
 *     inferred_report_release(&inferred);
 *
 * The variance family ranks inferred calls as it does timed ones (stacks/span_inference.h); a note says how
 * many samples they stand on. Borrows the run, whose spans it makes, and the stacks.
 */
#ifndef DRIVER_RUNS_INFERRED_REPORT_H
#define DRIVER_RUNS_INFERRED_REPORT_H

#include "driver/runs/outcome.h"
#include "driver/runs/results.h"
#include "driver/runs/shown_intervals.h"
#include "stacks/request_fill.h"
#include "stacks/span_inference.h"
#include "stacks/stacks.h"

struct inferred_report {
    struct request_totals totals;
    struct inferred_spans spans;
    struct results results;
    struct shown_intervals shown;
    struct outcome outcome;
    bool made;
    bool whole;
};

/* `whole`: each process is a request, whatever points were watched. False: there are no requests to be told of, as
 * no points were watched in the run. */
bool inferred_report_prepare(struct inferred_report *inferred, struct timelines *run, bool whole);
/* Fails with ERROR_NOTHING where no request was complete. */
bool inferred_report_make(struct inferred_report *inferred, struct timelines *run,
                          const struct stacks *stacks, const char *words, struct error *error);
void inferred_report_release(struct inferred_report *inferred);

#endif
