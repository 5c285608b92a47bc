/* off_blocks.h - what wrappers recorded of a thread's waits, and what the kernel saw of them, joined.
 *
 *     wrappers      |-- lock: woken by thread 2 --|
 *     kernel          |------ off cpu -----|                |-- off cpu: disk --|
 *     blocks        |-- lock: woken by thread 2 --|         |-- BLOCK_OFF_CPU --|
 *
 * A wrapper's block wins over what the kernel saw within it, which tells how long the woken thread
 * waited for a processor (block_offs), and who woke it where no wrapper knows. Off the processor
 * outside of all of them is a block of its own.
 */
#ifndef TRACE_OFF_BLOCKS_H
#define TRACE_OFF_BLOCKS_H

#include "trace/off_cpu.h"

/* Beside a wrapper's block, less than this is the two clocks' disagreement. */
#define OFF_BLOCKS_EDGE_NS 5000
/* A waker that let a thread go on this long after it ran again did not wake it. */
#define OFF_BLOCKS_LATE_NS 50000

/* The function gives the threads their new blocks, in the run's `scheduler` arena. */
void off_blocks_join(struct timelines *run);
/* The threads from that one on have been added since, and no wrapper recorded anything of them. */
void off_blocks_add(struct timelines *run, uint32_t first_thread);

#endif
