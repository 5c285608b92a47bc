/* experiment_run.h - a program runs, and is experimented with.
 *
 *     experiments.vtr     beside the processes' files: when each experiment began, counted and ended
 *
 *   experiment   |-- what was under way ends --|-- n intervals begin --|-- all of them end --|
 *
 * First each target is watched for a while without a delay: how fast work is done, how long its calls are. From
 * that follows how many units of work a window has, for all to fit into the budget. A program that
 * ends by itself is run again, until all is done. Of many targets most are left out after a few experiments
 * (causal/screen.h).
 */
#ifndef DRIVER_EXPERIMENTS_EXPERIMENT_RUN_H
#define DRIVER_EXPERIMENTS_EXPERIMENT_RUN_H

#include "base/error.h"
#include "driver/experiments/target_list.h"
#include "driver/workbench/target.h"

struct experiment_wish {
    const struct target *target;
    const char *trace, *log; /* the folder, which is there; the program's output */
    const struct target_list *targets;
    uint32_t probe_count; /* of the program */
    const double *levels;
    uint32_t level_count;
    double budget_s; /* of all experiments together */
    double
        width; /* 0, or half of the width that the interval of p99 (else the mean, or the rate) is to have: then
                        the budget follows from it */
    uint64_t seed;
};

/* A program that is stopped by Ctrl-C has been experimented with until then: true. */
bool experiment_run(const struct experiment_wish *wish, struct error *error);

#endif
