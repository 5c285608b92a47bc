/* own_stacks.h - the stacks of threads while they run outside of the kernel, which a user without rights may have of
 * his own (kernel.perf_event_paranoid 2, of all distributions' kernels but those that forbid all).
 *
 *     own_stacks_open(&events, pace, ring_bytes);
 *     own_stacks_watch(&events, pid);                    with its threads, and what they create
 *
 * The clock of each thread goes on only while it runs; what falls into the kernel is not told, so that
 * each sample stands for the clock's period and what is missing of the thread's time was in the kernel.
 */
#ifndef SAMPLER_OWN_STACKS_H
#define SAMPLER_OWN_STACKS_H

#include "sampler/stack_events.h"

/* False: they are not allowed, and errno. */
bool own_stacks_open(struct stack_events *events, const struct stack_pace *pace, size_t ring_bytes);
/* Gives how many threads there are of which there will be no stacks. */
size_t own_stacks_watch(struct stack_events *events, pid_t pid);

#endif
