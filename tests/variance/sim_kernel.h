/* sim_kernel.h - what the kernel's scheduler did in a simulated run, and what a recorder saw of it.
 *
 *     thread      spends time |- off -|  spends  | waits |- off -|    |
 *     processor 3    thread   | hog  | idle | ...
 *
 * When the machine has run, threads are taken off their processors: while they spend time, while
 * they wait for each other, and across the edges of the two. Each comes back to some processor that
 * is free; strangers have some of the rest. Then the log is written, some of it lost, and the book
 * is told of what is left of it. That is the known answer: nothing here looks at the log again.
 */
#ifndef TESTS_SIM_KERNEL_H
#define TESTS_SIM_KERNEL_H

#include "sim_world.h"

/* Writes <prefix>kernel-<part>.vtr. */
void sim_kernel_run(struct machine *m, const char *prefix);

#endif
