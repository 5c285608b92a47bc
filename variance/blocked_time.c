#include "variance/blocked_time.h"

#include "base/memory.h"

void blocked_time_init(struct blocked_time *times, const struct timelines *run)
{
    times->run = run;
    times->before = memory_zeroed(sizeof *times->before * run->thread_count);
}

void blocked_time_release(struct blocked_time *times)
{
    for (uint32_t t = 0; t < times->run->thread_count; t++)
        memory_free(times->before[t]);
    memory_free(times->before);
}

static const time_ns *before_blocks(struct blocked_time *times,
                                    const struct timeline_thread *thread)
{
    time_ns **before = &times->before[thread - times->run->threads];
    if (*before)
        return *before;
    *before = memory_alloc(sizeof **before * thread->block_count);
    time_ns sum = 0;
    for (uint32_t i = 0; i < thread->block_count; i++) {
        (*before)[i] = sum;
        sum += thread->blocks[i].end - thread->blocks[i].start;
    }
    return *before;
}

/* How long it was blocked before `time`, counted from any fixed moment. */
static time_ns blocked_until(const struct timeline_thread *thread, const time_ns *before,
                             int64_t first, int64_t last, time_ns time)
{
    int64_t low = first, high = last + 1;
    while (low < high) { /* the first block that starts at `time` or later */
        int64_t middle = low + (high - low) / 2;
        if (thread->blocks[middle].start < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == first)
        return before[low];
    const struct block *latest = &thread->blocks[low - 1];
    return before[low - 1] + (time < latest->end ? time : latest->end) - latest->start;
}

time_ns blocked_time_in(struct blocked_time *times, const struct timeline_thread *thread,
                        int64_t first, int64_t last, time_ns lo, time_ns hi)
{
    const time_ns *before = before_blocks(times, thread);
    return blocked_until(thread, before, first, last, hi) -
           blocked_until(thread, before, first, last, lo);
}
