/* recorded_run.h - a command, run as it is in the present folder, and recorded as a result's round 1.
 *
 *     rounds/01/trace/     the program's files, and the recorder's
 *     rounds/01/run.log    what it printed
 */
#ifndef DRIVER_WORKBENCH_RECORDED_RUN_H
#define DRIVER_WORKBENCH_RECORDED_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "driver/workbench/kernel_recording.h"
#include "driver/workbench/workdir.h"

/* A program that is stopped by Ctrl-C has left a trace all the same, and so has one that fails: the
 * result is true, what happened is said, and *failed tells the latter. */
bool recorded_run(const struct workdir *workdir, char *const *command, struct kernel_wish wish,
                  bool *failed, struct error *error);

/* The same, beside that result: the traces go to a folder, which is made, and what it prints to a file. */
bool recorded_run_into(const char *trace, const char *log, char *const *command,
                       struct kernel_wish wish, bool *failed, struct error *error);

#endif
