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

#include "driver/experiments/experiment_wish.h"

/* A program that is stopped by Ctrl-C has been experimented with until then: true. */
bool experiment_run(const struct experiment_wish *wish, struct error *error);

#endif
