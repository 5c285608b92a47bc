/* slow_stacks.h - `vprofiler stacks --slow`: in which contexts the slow requests of a run take longer than typical ones.
 *
 *     slow_stacks_tell(at, stacks, json, &error)       on stdout; slow.html and slow.json where a page is wanted
 */
#ifndef DRIVER_COMMANDS_SLOW_STACKS_H
#define DRIVER_COMMANDS_SLOW_STACKS_H

#include "driver/commands/watched_program.h"
#include "stacks/stacks.h"

/* ERROR_NOTHING: the run has too few requests. */
bool slow_stacks_tell(const struct watched_traces *at, struct stacks *stacks, bool json,
                      struct error *error);

#endif
