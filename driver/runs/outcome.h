/* outcome.h - what a round found, with every doubt about it, as files and on the terminal.
 *
 *     struct outcome outcome = {0};
 *     outcome_begin(&outcome, &run, &functions, &shown);
 *     outcome_tell(&outcome, &results);         what the families found
 *     outcome_judge(&outcome);                  the warnings
 *     outcome_write(&outcome, folder, &error);  report.json, report.txt, report.html
 *     outcome_print(&outcome, json);            stdout
 *
 * Borrows everything but the warnings, which outcome_release frees.
 */
#ifndef DRIVER_RUNS_OUTCOME_H
#define DRIVER_RUNS_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/runs/results.h"
#include "driver/runs/shown_intervals.h"
#include "driver/workbench/probed_files.h"
#include "report/kit/report.h"
#include "trace/timeline.h"

/* What a report shows first, and the least contribution that matters, where nobody says otherwise. */
enum { OUTCOME_USUAL_TOP = 3 };
#define OUTCOME_USUAL_THRESHOLD 0.05

/* The traces alone can't give these warnings again; NULL: there were none. */
struct outcome_past {
    const char *latency_shift, *skipped, *lost_probes, *stopped, *hot;
};

struct outcome {
    struct report report;
    const struct timelines *run;
    const struct function_table *functions; /* NULL: not known */
    const struct interval_summary *first;   /* of the first instrumented round; NULL: this is it */
    uint32_t skipped;                       /* functions and calls that could not be instrumented */
    const char *stopped;                    /* why the loop ended early; NULL: it did not */
    const char *const *hot;                 /* names of functions called too often to be timed */
    uint32_t hot_count;
    const struct probed_files *probed; /* NULL: not known */
    bool moving; /* the program may still write to the trace: it can't be read a second time */
    struct outcome_past past;      /* of a result that is analysed again */
    const struct results *results; /* of the families, as outcome_tell was given them */
    struct report_part parts[RESULTS_MOST];
    struct doubts doubts; /* its own */
    struct doubts notes;  /* what the method does not tell, doubt or no doubt */
};

/* Fills in everything that the run, its functions and its timelines say by themselves. */
void outcome_begin(struct outcome *outcome, const struct timelines *run,
                   const struct function_table *functions, const struct shown_intervals *shown);
/* The report's parts and its intervals are those of the results, which it borrows. */
void outcome_tell(struct outcome *outcome, const struct results *results);
/* Fills in the warnings; docs/method.md lists them. */
void outcome_judge(struct outcome *outcome);
void outcome_release(struct outcome *outcome);
/* The page shows some of the intervals, which are worked out here. */
void outcome_write_page(const struct outcome *outcome, struct str *out);
bool outcome_write(const struct outcome *outcome, const char *folder, struct error *error);
void outcome_print(const struct outcome *outcome, bool json);
/* The style is what stdout asks for: NO_COLOR, the locale, the terminal's width. */
struct text_style outcome_terminal_style(void);

#endif
