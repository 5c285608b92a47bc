/* blocked_time.h - how long a thread was blocked in a part of its time.
 *
 *     time_ns blocked = blocked_time_in(&times, thread, first, last, lo, hi);
 *
 * Sums over a thread's blocks are made when it is asked for first; then O(log n).
 */
#ifndef VARIANCE_BLOCKED_TIME_H
#define VARIANCE_BLOCKED_TIME_H

#include "trace/timeline.h"

struct blocked_time {
    const struct timelines *run;
    time_ns **before; /* by thread: before each of its blocks; NULL: not worked out */
};

void blocked_time_init(struct blocked_time *times, const struct timelines *run);
void blocked_time_release(struct blocked_time *times);
/* Blocks `first` to `last` of the thread, one at least, are those that overlap [lo, hi]. */
time_ns blocked_time_in(struct blocked_time *times, const struct timeline_thread *thread,
                        int64_t first, int64_t last, time_ns lo, time_ns hi);

#endif
