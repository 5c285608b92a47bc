/* code_place.h - where code lies that has no probe: lines, or the calls of a function that are units of work.
 *
 *     code_place_find(&target, goal, "parse.c:120", &error)                          goal->ranges, goal->objects
 *     struct code_goal *place = code_place_of_progress(&target, "serve", &error);    NULL: it has no such function
 *     code_goal_release(place);
 *
 * Where the processes of a run have to know it before they begin. It is looked for in the program that the command names;
 * where that is a script, or the code is in a library, the command is run for a moment, to see what it maps.
 */
#ifndef DRIVER_EXPERIMENTS_CODE_PLACE_H
#define DRIVER_EXPERIMENTS_CODE_PLACE_H

#include "base/error.h"
#include "driver/experiments/code_goal.h"
#include "driver/workbench/target.h"

/* False, with what is wrong and what to do: it is nowhere, or in several files. */
bool code_place_find(const struct target *target, struct code_goal *goal, const char *name,
                     struct error *error);
/* Where calls of a function begin; no more places than a processor watches. */
struct code_goal *code_place_of_progress(const struct target *target, const char *function,
                                         struct error *error);

#endif
