/* process.h - this process from the runtime's view: start, fork, exit.
 *
 *   loaded --VPROF_TRACE_DIR set--> looking --a hook table found--> recording --exit--> ended
 *     fork: the child of a recording process records, into a file of its own
 *     exec: the new program's constructor begins anew
 */
#ifndef RUNTIME_PROCESS_H
#define RUNTIME_PROCESS_H

#include <stdbool.h>

/* Make the trace file, at the first call. False: it cannot be made, nothing is to be recorded. */
bool process_record(void);
bool process_is_recording(void);

/* Around what makes a process, on the thread that does: until then it records nothing. The child
 * has a file of its own from there on. Signal-safe; errno is kept. */
void process_fork_begin(void);
void process_fork_parent(void);
void process_fork_child(void);

#endif
