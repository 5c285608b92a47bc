/* answer.h - the plan of a run's experiments, from what was watched, and its experiments.
 *
 * Many targets are screened first (causal/screen.h); the time is that of the budget, or what the asked-for width takes
 * (causal/width.h), and is told before the first experiment.
 */
#ifndef DRIVER_EXPERIMENTS_ANSWER_H
#define DRIVER_EXPERIMENTS_ANSWER_H

#include "driver/experiments/runner.h"

bool answer_plan_and_make(struct runner *r, struct error *error);

#endif
