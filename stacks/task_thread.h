/* task_thread.h - the timelines of a program that left no trace: a thread for each that the kernel's
 * recorder, or hits of points, tell of.
 *
 *     task_threads_make(run);
 *     run->threads[n]       process 4711, thread 4713, "worker", blocks and offs as the kernel saw them
 *
 * So whatever reads the timelines of an instrumented run reads these. Threads that have a trace stay what
 * and where they are. A second call adds those that came since.
 */
#ifndef STACKS_TASK_THREAD_H
#define STACKS_TASK_THREAD_H

#include "trace/timeline.h"

/* All is in the run's arenas. */
void task_threads_make(struct timelines *run);

#endif
