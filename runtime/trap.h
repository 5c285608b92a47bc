/* trap.h - the signal by which the kernel tells a thread of an event of its own: perf_event_open's SIGTRAP.
 *
 *     trap_start(TRAP_STEP, on_step);                        before the process has a second thread
 *     int fd = trap_event_open(TRAP_STEP, &event);           on_step(context) is called where it comes
 *     trap_event_close(fd);
 *
 * It comes at once, and only to what runs in user mode: no system call is cut short. Threads that are made later have
 * their own events. A SIGTRAP that is not ours goes to whoever wanted it before. libvprof_wrap.so asks here for what the
 * program does with signals (trap_action and the like): SIGTRAP stays ours and is not blocked, and what the program wants of
 * it is done when one is not ours. Without that, or by system calls of its own, a program may take the signal for itself:
 * then none of ours comes any more.
 */
#ifndef RUNTIME_TRAP_H
#define RUNTIME_TRAP_H

#include <signal.h>
#include <stdbool.h>

struct perf_event_attr;

enum trap_kind { TRAP_STEP, TRAP_BREAK, TRAP_KINDS };

/* `take` is called in a handler that no other signal interrupts; `context` is its ucontext_t. False: the signal can't be
 * had. The calling thread's mask lets it through. */
bool trap_start(enum trap_kind kind, void (*take)(const void *context));
bool trap_is_ours(void);

/* The event is of the calling thread and of those that it makes, and disabled; what is the same for all is filled in. The
 * result is a descriptor, or -1 and errno. */
int trap_event_open(enum trap_kind kind, struct perf_event_attr *event);
/* The program may have closed the descriptor, and have given its number to another file: then nothing is done. */
void trap_event_enable(int fd, bool on);
void trap_event_close(int fd);
bool trap_event_is_open(int fd);
/* The program, which does not know of it, is about to close that descriptor. */
bool trap_event_has(int fd);

/* As libc's sigaction, signal, sigprocmask and pthread_sigmask, to whom nothing of ours is there. */
int trap_action(int number, const struct sigaction *wanted, struct sigaction *before);
sighandler_t trap_signal(int number, sighandler_t wanted);
int trap_process_mask(int how, const sigset_t *wanted, sigset_t *before);
int trap_thread_mask(int how, const sigset_t *wanted, sigset_t *before);

#endif
