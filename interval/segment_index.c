#include "interval/segment_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

/* A job that gets fewer is not worth its thread. */
enum { LEAST_INTERVALS = 10000 };

static time_ns label_end(const struct timeline_thread *thread, uint32_t label)
{
    return label + 1 < thread->label_count ? thread->labels[label + 1].time : INT64_MAX;
}

static bool is_segment(const struct timeline_thread *thread, uint32_t label)
{
    return thread->labels[label].interval != INTERVAL_NONE &&
           label_end(thread, label) > thread->labels[label].time;
}

static int by_begin_order(const void *a, const void *b, void *segments)
{
    const struct segment *s = (const struct segment *)segments + *(const uint32_t *)a;
    const struct segment *t = (const struct segment *)segments + *(const uint32_t *)b;
    if (s->begin != t->begin)
        return s->begin < t->begin ? -1 : 1;
    return s->thread < t->thread ? -1 : s->thread > t->thread;
}

/* The number that an interval has in `numbers` is fetched before a thread comes to the interval.
 * One thread after the other, they are strides apart that no processor fetches by itself. */
static void fetch_ahead(const struct timeline_thread *thread, uint32_t label,
                        const uint32_t *numbers)
{
    enum { AHEAD = 16 };
    if (thread->label_count - label <= AHEAD)
        return;
    uint32_t interval = thread->labels[label + AHEAD].interval;
    if (interval != INTERVAL_NONE)
        __builtin_prefetch(&numbers[interval]);
}

/* The result tells whether an interval has several segments. */
static bool count_segments(struct segment_index *index, const struct timelines *run)
{
    uint64_t count = 0;
    bool several = false;
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].label_count; i++) {
            fetch_ahead(&run->threads[t], i, index->first);
            if (is_segment(&run->threads[t], i))
                index->first[run->threads[t].labels[i].interval + 1]++;
        }
    for (uint32_t i = 1; i <= run->interval_count; i++) {
        several |= index->first[i] > 1;
        count += index->first[i];
        index->first[i] = (uint32_t)count;
    }
    if (count > UINT32_MAX)
        BUG("more segments than can be numbered");
    return several;
}

static void fill_segments(struct segment_index *index, const struct timelines *run)
{
    /* An interval's number moves to the end of its segments: where the next one's begin. */
    uint32_t *fill = index->first;
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].label_count; i++) {
            const struct label *label = &run->threads[t].labels[i];
            fetch_ahead(&run->threads[t], i, fill);
            if (!is_segment(&run->threads[t], i))
                continue;
            index->by_thread[fill[label->interval]++] =
                (struct segment){label->time, label_end(&run->threads[t], i), t, i};
        }
    memmove(fill + 1, fill, sizeof *fill * run->interval_count);
    fill[0] = 0;
}

static void sort_by_begin(struct segment_index *index, uint32_t interval)
{
    uint32_t first = index->first[interval];
    uint32_t count = index->first[interval + 1] - first, most = 0;
    struct segment *segments = index->by_thread + first;
    uint32_t *by_begin = index->by_begin + first;
    for (uint32_t i = 0; i < count; i++)
        by_begin[i] = i;
    if (count > 1)
        qsort_r(by_begin, count, sizeof *by_begin, by_begin_order, segments);
    for (uint32_t i = 0; i < count; i++) {
        most = segments[by_begin[i]].end > segments[by_begin[most]].end ? i : most;
        index->longest[first + i] = most;
    }
}

struct sorting {
    struct segment_index *index;
    uint32_t interval_count, parts;
};

static void sort_part(void *context, uint32_t part)
{
    const struct sorting *sorting = context;
    uint64_t end = parallel_share(sorting->interval_count, sorting->parts, part + 1);
    for (uint64_t i = parallel_share(sorting->interval_count, sorting->parts, part); i < end; i++)
        sort_by_begin(sorting->index, (uint32_t)i);
}

void segment_index_init(struct segment_index *index, const struct timelines *run)
{
    *index = (struct segment_index){
        .first = memory_zeroed(sizeof *index->first * ((size_t)run->interval_count + 1))};
    bool several = count_segments(index, run);
    uint32_t count = index->first[run->interval_count];
    index->by_thread = memory_alloc(sizeof *index->by_thread * count);
    fill_segments(index, run);
    if (!several)
        return;
    index->by_begin = memory_alloc(sizeof *index->by_begin * count);
    index->longest = memory_alloc(sizeof *index->longest * count);
    struct sorting sorting = {index, run->interval_count,
                              parallel_jobs(run->interval_count / LEAST_INTERVALS)};
    parallel_run(sorting.parts, sort_part, &sorting);
}

void segment_index_release(struct segment_index *index)
{
    memory_free(index->first);
    memory_free(index->by_thread);
    memory_free(index->by_begin);
    memory_free(index->longest);
    *index = (struct segment_index){0};
}

const struct segment *segment_index_on_thread(const struct segment_index *index, uint32_t interval,
                                              uint32_t thread, time_ns time)
{
    uint32_t low = index->first[interval], high = index->first[interval + 1];
    while (low < high) { /* low: number of segments that stand before (thread, time) */
        uint32_t middle = low + (high - low) / 2;
        const struct segment *s = &index->by_thread[middle];
        if (s->thread < thread || (s->thread == thread && s->begin < time))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == index->first[interval] || index->by_thread[low - 1].thread != thread)
        return NULL;
    return &index->by_thread[low - 1];
}

/* A segment that is passed over here began after the one that is found, so that a walk towards
 * earlier times never passes over it again. */
const struct segment *segment_index_before(const struct segment_index *index, uint32_t interval,
                                           time_ns time)
{
    uint32_t first = index->first[interval], low = 0, high = index->first[interval + 1] - first;
    const struct segment *segments = index->by_thread + first;
    if (high <= 1)
        return high && segments->begin < time ? segments : NULL;
    const uint32_t *by_begin = index->by_begin + first;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (segments[by_begin[middle]].begin < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct segment *longest = &segments[by_begin[index->longest[first + low - 1]]];
    if (longest->end < time)
        return longest;
    uint32_t i = low - 1;
    while (segments[by_begin[i]].end < time)
        i--;
    return &segments[by_begin[i]];
}
