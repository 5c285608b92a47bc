/* thread_time.h - where the time of one thread went, while it was recorded: to the ns.
 *
 *     |== ran ==|-- off ------------|~ queue ~|== ran ==|
 *     wall = ran + off + queue + missing
 *
 * What it ran is told by who had the processors, what it was off by its own switches: the two sources
 * leave no gap but where records are missing (lost ones, pauses).
 */
#ifndef STACKS_THREAD_TIME_H
#define STACKS_THREAD_TIME_H

#include "trace/off_cpu.h"

struct thread_time {
    time_ns from, until; /* it was first and last seen to run or to be off */
    time_ns ran;
    time_ns off;     /* blocked */
    time_ns queue;   /* it wanted a processor */
    time_ns missing; /* not recorded */
};

/* By task; the caller frees the array (base/memory.h). */
struct thread_time *thread_times_find(const struct kernel_side *side);
static inline time_ns thread_time_wall(const struct thread_time *time)
{
    return time->until - time->from;
}

#endif
