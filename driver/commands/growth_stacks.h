/* growth_stacks.h - `vprofiler stacks --growth SIZE=RESULT ...`: what grows how with the size that runs worked on.
 *
 *     growth_stacks_tell(values, layers, json, &error)              values: "5000=small", ..., NULL
 *     growth_stacks_tell_by(at, stacks, "bytes", json, &error)      `vprofiler stacks --growth-by bytes`
 */
#ifndef DRIVER_COMMANDS_GROWTH_STACKS_H
#define DRIVER_COMMANDS_GROWTH_STACKS_H

#include "base/error.h"
#include "driver/commands/watched_program.h"
#include "stacks/stacks.h"

/* RESULT may be a folder of runs, all of that size. */
bool growth_stacks_tell(const char *const *values, unsigned layers, bool json, struct error *error);
/* Of a run's requests, by a value that they have. */
bool growth_stacks_tell_by(const struct watched_traces *at, struct stacks *stacks,
                           const char *value, bool json, struct error *error);

#endif
