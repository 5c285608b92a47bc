/* whole_runs.h - a program without a unit of work is run again and again: each run is one experiment.
 *
 *   block 1   0.5   0   1   0.25   0   0.75      a run each; what it took, less what its threads were to wait
 *
 * Blocks are made until the interval of every level is as narrow as was asked for, of ten at the least, or until the time is
 * over. When it ends depends on how much runs vary, not on what is found (Chow and Robbins, Annals of Mathematical
 * Statistics 36(2), 1965).
 */
#ifndef DRIVER_EXPERIMENTS_WHOLE_RUNS_H
#define DRIVER_EXPERIMENTS_WHOLE_RUNS_H

#include "driver/experiments/runner.h"

/* False where a run fails, no target runs in it, or the budget is too short for ten blocks. */
bool whole_runs_make(struct runner *r, struct error *error);

#endif
