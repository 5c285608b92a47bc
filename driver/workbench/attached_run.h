/* attached_run.h - the kernel's side of a process that runs already, with its threads and children.
 *
 *     attached_run(pid, 30, wish, trace, &error)       for 30 s, or until it ends
 *
 * Nothing of the process is touched. Ctrl-C ends the recording, and what was recorded until then stands.
 */
#ifndef DRIVER_WORKBENCH_ATTACHED_RUN_H
#define DRIVER_WORKBENCH_ATTACHED_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "driver/workbench/kernel_recording.h"

/* There is such a process. False and an error that says what to do. */
bool attached_run_find(pid_t pid, struct error *error);
/* `directory` gets the recorder's file. */
bool attached_run(pid_t pid, double seconds, struct kernel_wish wish, const char *directory,
                  struct error *error);

#endif
