/* watch.h - what targets do before they are experimented with: how fast work is done, how long their calls are, and whether
 * they run at all. */
#ifndef DRIVER_EXPERIMENTS_WATCH_H
#define DRIVER_EXPERIMENTS_WATCH_H

#include "driver/experiments/runner.h"

#define WATCH_LONGEST_S 8.0 /* of one target (chosen) */

bool watch_targets(struct runner *r, struct error *error);
/* A target that is called seldom is waited for. False, with the functions that are called: none of the targets runs. */
bool watch_for_calls(struct runner *r, struct error *error);

#endif
