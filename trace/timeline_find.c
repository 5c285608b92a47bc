/* Questions about one moment of a thread's timeline. */
#include "trace/timeline.h"

/* The index of the last of `count` elements, `stride` bytes apart and beginning with a time, that
 * is not after `time`; -1: none. */
static int64_t last_not_after(const void *first, size_t stride, uint32_t count, time_ns time)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (*(const time_ns *)(const void *)((const char *)first + middle * stride) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low - 1;
}
_Static_assert(offsetof(struct label, time) == 0, "begins with its time");
_Static_assert(offsetof(struct block, start) == 0, "begins with its time");

int64_t timeline_label_at(const struct timeline_thread *thread, time_ns time)
{
    return last_not_after(thread->labels, sizeof *thread->labels, thread->label_count, time);
}

int64_t timeline_block_before(const struct timeline_thread *thread, time_ns time)
{
    return last_not_after(thread->blocks, sizeof *thread->blocks, thread->block_count, time);
}
