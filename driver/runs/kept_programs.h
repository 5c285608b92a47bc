/* kept_programs.h - the programs of a run stay with its trace: their names outlive the work tree.
 *
 *     trace/objects/home/u/vprofiler-out/003/tree/server      a second name of the file
 *
 * An indirect call is recorded as an address; the name comes from the program's symbols, by the
 * maps in the trace. `objects` holds the programs and libraries of the work tree at their absolute
 * paths; others are where they were.
 */
#ifndef DRIVER_RUNS_KEPT_PROGRAMS_H
#define DRIVER_RUNS_KEPT_PROGRAMS_H

#include "base/error.h"
#include "trace/timeline.h"

/* Saves the run's programs and libraries that lie below `tree` in `trace`/objects. */
bool kept_programs_save(const struct timelines *run, const char *tree, const char *trace,
                        struct error *error);
/* Lets the run's maps name what is kept in `trace`. */
void kept_programs_use(struct timelines *run, const char *trace);

#endif
