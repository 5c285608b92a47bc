/* raw_fork.h - processes made without fork(), which calls no handlers then.
 *
 *     pid = _Fork();  pid = clone(start, stack, SIGCHLD, arg);  pid = syscall(SYS_clone, ...);
 *
 * become calls of these where they stand in rewritten code; the child has a log of its own then.
 * A child may have the parent's memory and its thread pointer, but not its time, as clone(CLONE_VM)
 * makes it: two would write into one thread's log. From then on that thread's records are refused,
 * and counted as lost.
 * Signal-safe, as _Fork() is.
 */
#ifndef RUNTIME_RAW_FORK_H
#define RUNTIME_RAW_FORK_H

/* A call of _Fork() stands between these; 0: this is the child. */
void raw_fork_begin(void);
void raw_fork_end(int result);

/* The wrapper of clone() gets its last three arguments as an array, which has anything where the
 * flags ask for none. */
int raw_fork_clone(unsigned site, int (*start)(void *), void *stack, int flags, void *arg,
                   const long *more);

/* A system call that makes a process is made, with its six arguments. */
long raw_fork_system(unsigned site, long number, const long *arguments);

#endif
