/* fork.h - a process is made: the child records into a file of its own.
 *
 *     fork_begin();  pid = fork();  pid == 0 ? fork_child() : fork_parent();     on one thread
 *
 * The child has its own file from the last of these on, or from its
 * first record: handlers of pthread_atfork() that were registered before ours are called between
 * these. Signal-safe; errno is kept.
 */
#ifndef RUNTIME_FORK_H
#define RUNTIME_FORK_H

#include <stdbool.h>

/* A process calls this before its first fork. */
void fork_start_up(void);

void fork_begin(void);
void fork_parent(void);
void fork_child(void);

/* Between these calls, this thread's log is its process's own. A child without one gets it now.
 * False means that nobody knows whose it is, and nothing may be written to it. */
bool fork_is_own_log(void);

#endif
