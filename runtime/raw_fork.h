/* raw_fork.h - processes made without fork(): its handlers do not run.
 *
 *     pid = _Fork();  pid = clone(start, stack, SIGCHLD, arg);  pid = syscall(SYS_clone, ...);
 *
 * become calls of these where they stand in rewritten code; the child has a log of its own then.
 * With the parent's memory and its thread pointer, but not its time, as clone(CLONE_VM) makes it,
 * two run in one thread's log: from then on that thread's records are refused, and counted as lost.
 * Signal-safe, as _Fork() is.
 */
#ifndef RUNTIME_RAW_FORK_H
#define RUNTIME_RAW_FORK_H

/* Around a call of _Fork(); 0: this is the child. */
void raw_fork_begin(void);
void raw_fork_end(int result);

/* clone(), whose last three are anything where the flags ask for none. */
int raw_fork_clone(unsigned site, int (*start)(void *), void *stack, int flags, void *arg,
                   const long *more);

/* A system call that makes a process, with its six arguments. */
long raw_fork_system(unsigned site, long number, const long *arguments);

#endif
