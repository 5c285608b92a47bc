/* segment_index.h - which stretches of which threads were labelled with an interval.
 *
 *   thread 0  |==I==|        |==I==|          segments of I, by begin, and once more by thread;
 *   thread 1        |==I==========|           a segment without extent is none
 *
 * Built once for a run; every question costs O(log n). Owns its arrays, borrows the run.
 */
#ifndef INTERVAL_SEGMENT_INDEX_H
#define INTERVAL_SEGMENT_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "trace/timeline.h"

struct segment {
    time_ns begin;
    time_ns end; /* INT64_MAX: to the end of the trace */
    uint32_t thread;
    uint32_t label; /* index in the thread's labels */
};

struct segment_index {
    uint32_t *first;           /* of interval i: first[i] .. first[i + 1] - 1 */
    struct segment *by_thread; /* within an interval by thread, then by begin */
    /* The pointer is NULL where no interval has several. */
    uint32_t *by_begin; /* within an interval by begin: its segments, from 0 */
    uint32_t *longest;  /* of by_begin[first[i]] .. [j]: the one with the greatest end, from 0 */
};

void segment_index_init(struct segment_index *index, const struct timelines *run);
void segment_index_release(struct segment_index *index);

/* Fetches what is known of an interval that will be asked for soon. */
static inline void segment_index_fetch(const struct segment_index *index, uint32_t interval)
{
    __builtin_prefetch(&index->by_thread[index->first[interval]]);
}

/* The last segment of `interval` on `thread` with begin < time, or NULL. It either reaches `time`
 * (end >= time) or is the last one that ended before. */
const struct segment *segment_index_on_thread(const struct segment_index *index, uint32_t interval,
                                              uint32_t thread, time_ns time);
/* The segment of `interval` on any thread with begin < time that has the greatest min(end, time);
 * among equals the one that began last. NULL: there is none. */
const struct segment *segment_index_before(const struct segment_index *index, uint32_t interval,
                                           time_ns time);

/* All segments of the interval, by thread and then by begin. */
static inline const struct segment *segment_index_all(const struct segment_index *index,
                                                      uint32_t interval, uint32_t *count)
{
    *count = index->first[interval + 1] - index->first[interval];
    return index->by_thread + index->first[interval];
}

#endif
