/* analysis.h - `analyze` and `merge`: traces that are there become a result of their own.
 *
 *     static const struct option_spec options[] = {ANALYSIS_OPTIONS, {0}};
 *     if (command_take(&command_analyze, argc, argv, &values, &code))
 *         code = analysis_run(&values, argc, argv);
 *
 *   vprofiler-out/004/report.*
 *                     rounds/01/functions.json, trace/01-alpha/000000-4711.vtr, trace/02-beta/...
 *
 * The traces in it are links, so a result can be analysed, merged and exported again.
 */
#ifndef DRIVER_RUNS_ANALYSIS_H
#define DRIVER_RUNS_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/cli/command.h"

struct analysis_values {
    const char *const *folders; /* ends with NULL */
    const char *functions, *out;
    unsigned k;
    double threshold;
    bool separate, json;
};

#define ANALYSIS_AT(member) offsetof(struct analysis_values, member)
#define ANALYSIS_OPTIONS                                                                           \
    OPTION("functions", FILE, ANALYSIS_AT(functions), "FILE", NULL,                                \
           "the functions.json of the program that ran; otherwise beside its traces"),             \
        OPTION("k", WHOLE, ANALYSIS_AT(k), "N", NULL,                                              \
               "factors shown first; otherwise as before, or 3", .most = 1000),                    \
        OPTION("threshold", FRACTION, ANALYSIS_AT(threshold), "D", NULL,                           \
               "smallest fraction of the variance that matters; otherwise as before, or 0.05"),    \
        OPTION("out", FOLDER, ANALYSIS_AT(out), "DIR", "vprofiler-out", "where results go"),       \
        FLAG("separate", ANALYSIS_AT(separate),                                                    \
             "every folder is a host of its own, whatever its traces say"),                        \
        FLAG("json", ANALYSIS_AT(json), "print report.json on stdout")

/* The report tells the command line, argc and argv. Prints what went wrong, and gives the exit
 * code. */
int analysis_run(const struct analysis_values *values, int argc, char **argv);

#endif
