/* dump.h - a run as text: the four tuples of the VProfiler paper, one on a line.
 *
 *     segment <tid> <interval> <start> <end> <state>     state: running, blocked, queued, io
 *     function <tid> <interval> <name> <start> <end>     interval: the thread's at its start
 *     wake-up <tid> <waker's tid> <time>
 *     creation <creator's tid> <time> <tid> <time of pick-up>
 *     sample <tid> <thread> <time> <ns> <processor> <stack>      <thread>: of the run, or "-"
 *     off <tid> <thread> <out> <woken> <in> <cause> <waker> <processor> <device> [fault]
 *     processor <number> <since> <tid>                           whose it is
 *     wait-stack <tid> <time> waits|wakes <tid> <stack> <one in> <argument> <holder>
 *
 * Times are ns since the first calibration. <interval> is the number of an instance, or "-"; an
 * unknown waker has no line, an unknown creator is "- -". Threads stand one after another, each
 * sorted by time; a segment ends wherever the label or the state changes. "queued" is a wait for a
 * condition or a semaphore, for no interval, that ended in picking up a task. "io" is kept for the
 * kernel's events. A tid that the kernel used again is printed as "4711.2". A name may hold spaces:
 * it is what stands between the third word and the last two. Lines that begin with # tell the
 * processes, the intervals, the stacks of samples and what was lost.
 */
#ifndef TRACE_DUMP_H
#define TRACE_DUMP_H

#include <stdio.h>

#include "trace/function_table.h"
#include "trace/timeline.h"

/* `table` may be NULL: then functions are "probe:7", and "probe:7@0x55d0" with a target. */
void trace_dump(const struct timelines *run, const struct function_table *table, FILE *out);

#endif
