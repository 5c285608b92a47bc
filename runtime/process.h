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

/* Around what makes a process, on the thread that does. The child has a file of its own from the
 * last of these on, or from its first record: handlers of pthread_atfork() that were registered
 * before ours run between these. Signal-safe; errno is kept. */
void process_fork_begin(void);
void process_fork_parent(void);
void process_fork_child(void);

/* Between these: whose this thread's log is. In the child it is its own afterwards; false where
 * that can't be told, and nothing may be written. */
bool process_has_log(void);

#endif
