/* run_set.h - finished runs, named on a command line, as one run that can be analysed again.
 *
 *     struct run_set set;
 *     struct run_set_options options = {.paths = paths};
 *     if (run_set_open(&set, &options, &error))
 *         set.joined.run, set.functions, set.variance, set.outcome
 *     run_set_release(&set);
 *
 * Law 4: the same files give the same bits, however they are spread over folders and whatever the
 * order of the arguments. All must have been recorded with one functions.json: a record's probe is
 * a number in it. What the result folders know of how they were made (target, rounds, command) is
 * kept. Owns everything; `outcome.report` points into it.
 */
#ifndef DRIVER_RUNS_RUN_SET_H
#define DRIVER_RUNS_RUN_SET_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/family_variance.h"
#include "driver/runs/outcome.h"
#include "driver/runs/shown_intervals.h"
#include "driver/runs/trace_files.h"
#include "trace/function_table.h"
#include "trace/joined_run.h"

struct run_set_options {
    const char *const *paths; /* ends with NULL; NULL: vprofiler-out, its latest */
    const char *functions;    /* functions.json, or NULL: what lies beside the traces */
    const char *links; /* folder that gets the links to the traces; NULL: one that is removed */
    unsigned k;        /* 0: as before, else 3 */
    double threshold;  /* 0: as before, else 0.05 */
    const char *words; /* the command line, where several runs become one */
    bool separate;     /* see trace_files.h */
    unsigned without_slowest; /* so many intervals are left out */
    unsigned also;            /* enum family_need: what is analysed beside calls */
};

struct run_set {
    struct trace_files files;
    struct function_table functions;
    const char *functions_path;
    struct joined_run joined;
    struct results results;
    const struct variance_result *variance; /* of the results */
    struct shown_intervals shown;
    struct outcome outcome;
    struct arena arena; /* texts of the report */
    struct str own_links;
    bool analyzed;
};

bool run_set_load(struct run_set *set, const struct run_set_options *options, struct error *error);
/* Fills in variance and outcome, with its warnings. */
bool run_set_analyze(struct run_set *set, const struct run_set_options *options,
                     struct error *error);
/* Loads and analyses, one after the other. */
bool run_set_open(struct run_set *set, const struct run_set_options *options, struct error *error);
void run_set_release(struct run_set *set);

#endif
