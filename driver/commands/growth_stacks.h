/* growth_stacks.h - `vprofiler stacks --growth SIZE=RESULT ...`: what grows how with the size that runs worked on.
 *
 *     growth_stacks_tell(values, layers, json, &error)       values: "5000=small", ..., NULL
 */
#ifndef DRIVER_COMMANDS_GROWTH_STACKS_H
#define DRIVER_COMMANDS_GROWTH_STACKS_H

#include "base/error.h"

/* RESULT may be a folder of runs, all of that size. */
bool growth_stacks_tell(const char *const *values, unsigned layers, bool json, struct error *error);

#endif
