/* gap_sums.h - what a thread did while a request waited for it to come, summed up beforehand.
 *
 *     the thread's waits   - -- - --- - - -- ----- - -- - - --- -- - -
 *     borders              |           |           |           |        some waits apart
 *     a request waits            |-----------------------------|        sums at two borders, and a rest
 *
 * With n requests in flight each waits while n others are served: to go over all of that would take n
 * times as long as the run is. What a thread's time was adds up from border to border (time_owner.h),
 * so a gap is the difference of two sums. The sums of a thread are made when it is asked for first.
 */
#ifndef WAITS_GAP_SUMS_H
#define WAITS_GAP_SUMS_H

#include <stddef.h>

#include "trace/timeline.h"

/* Parts have numbers. */
struct part_time {
    uint32_t part;
    time_ns ns;
};

struct part_times {
    time_ns *of; /* by part */
    size_t count;
};

void part_times_add(struct part_times *times, uint32_t part, time_ns ns);

struct gap_border {
    time_ns time;
    struct part_time *before; /* all of the thread's time before it, from the first border on */
    uint32_t count;
};

struct gap_thread {
    struct gap_border *borders; /* NULL: not made */
    uint32_t count;
};

/* Adds to `times` whose the thread's time in [lo, hi] was. */
typedef void gap_collect(void *context, uint32_t thread, time_ns lo, time_ns hi,
                         struct part_times *times);
/* A gap has so much of a part; more than once of one part, and less than nothing, until it is over. */
typedef void gap_take(void *context, uint32_t part, time_ns ns);

struct gap_sums {
    const struct timelines *run;
    struct gap_thread *threads;
    gap_collect *collect;
    gap_take *take;
    void *context;
};

void gap_sums_init(struct gap_sums *sums, const struct timelines *run, gap_collect *collect,
                   gap_take *take, void *context);
void gap_sums_release(struct gap_sums *sums);
/* Takes what is between two borders of the thread within [*lo, *hi]; what is left to go over lies before the
 * new *lo and behind the new *hi. False: all of it is, they are as they were. */
bool gap_sums_within(struct gap_sums *sums, uint32_t thread, time_ns *lo, time_ns *hi);

#endif
