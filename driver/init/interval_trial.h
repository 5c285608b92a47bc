/* interval_trial.h - a declaration is tried: the program is built with its marks and runs for two
 * seconds.
 *
 *     struct interval_trial trial = {.build = &build, .config = "vprofiler.json", .command = argv};
 *     if (interval_trial_run(&trial, &error)) ... trial.count, trial.p50_ns, trial.doubts
 *
 * Counted are the calls that receive and send in the program's own text: what answers outside of any
 * interval is not covered, and an interval that mostly waits to receive is a connection.
 */
#ifndef DRIVER_INIT_INTERVAL_TRIAL_H
#define DRIVER_INIT_INTERVAL_TRIAL_H

#include <stdint.h>

#include "driver/init/build_trial.h"
#include "driver/init/interval_guess.h"

enum { TRIAL_DOUBTS = 4 };

struct interval_trial {
    struct build_trial *build;
    const struct interval_guess *guess; /* whose sources and sinks are counted */
    const char *config;                 /* path; NULL: the source marks them */
    char *const *command;
    unsigned jobs;
    uint64_t count, open; /* intervals that were completed; that were not */
    double p50_ns, longest_ns, seconds;
    uint64_t answers, answers_inside; /* calls that send */
    double waiting;                   /* share of the intervals' time in calls that receive */
    struct str doubts[TRIAL_DOUBTS];
    uint32_t doubt_count;
};

bool interval_trial_run(struct interval_trial *trial, struct error *error);
void interval_trial_release(struct interval_trial *trial);

#endif
