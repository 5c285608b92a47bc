/* progress_place.h - where the calls of a function begin that are units of work, in a program that has no probe of it.
 *
 *     struct code_goal *place = progress_place_find(&target, "serve", &error);       NULL: it has no such function
 *     place->ranges ... place->objects
 *     code_goal_release(place);
 *
 * The processes of a run have to know it before they begin. It is looked for in the program that the command names; where
 * that is a script, or the function is in a library, the command is run for a moment, to see what it maps.
 */
#ifndef DRIVER_EXPERIMENTS_PROGRESS_PLACE_H
#define DRIVER_EXPERIMENTS_PROGRESS_PLACE_H

#include "base/error.h"
#include "driver/experiments/code_goal.h"
#include "driver/workbench/target.h"

struct code_goal *progress_place_find(const struct target *target, const char *function,
                                      struct error *error);

#endif
