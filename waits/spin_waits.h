/* spin_waits.h - waits of threads that kept their processor meanwhile: the marks tell them
 * (VPROF_SPIN_BEGIN, VPROF_SPIN_END), the kernel takes them for work.
 *
 *     thread 7   runs |---- spins for 9's lock ----| runs
 *     the kernel runs           | preempted |             two waits: before it and behind it
 *
 * What a thread was off its processor for within a spin is told by the kernel already, and stays.
 */
#ifndef WAITS_SPIN_WAITS_H
#define WAITS_SPIN_WAITS_H

#include "waits/wait_list.h"

/* Adds those of the run's threads to the others, which lie in order. */
void spin_waits_add(struct wait_list *waits, const struct vertex_table *vertices,
                    const struct timelines *run);

#endif
