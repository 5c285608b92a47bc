#include "pages_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/span_view.h"

/* A call and what it is in; two calls that are alike in all of this are not told apart. */
struct placed {
    time_ns start, end;
    uint64_t target;
    time_ns parent_start, parent_end;
    uint32_t probe, parent_probe;
};

static int placed_order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct placed));
}

static struct placed place(const struct span *spans, uint32_t i)
{
    struct placed placed;
    memset(&placed, 0, sizeof placed);
    placed.start = spans[i].start;
    placed.end = spans[i].end;
    placed.target = spans[i].target;
    placed.probe = spans[i].probe;
    if (spans[i].parent == SPAN_NONE)
        return placed;
    placed.parent_start = spans[spans[i].parent].start;
    placed.parent_end = spans[spans[i].parent].end;
    placed.parent_probe = spans[spans[i].parent].probe;
    return placed;
}

/* Calls that take no time are in no moment: where they stand is not told. */
static uint32_t collect_loaded(const struct timeline_thread *thread, struct placed *all)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < thread->span_count; i++)
        if (thread->spans[i].end > thread->spans[i].start)
            all[count++] = place(thread->spans, i);
    return count;
}

static uint32_t collect_opened(struct span_cache *cache, const struct timeline_thread *thread,
                               struct placed *all, uint32_t room)
{
    struct span_view view;
    uint32_t count = 0, open = 0;
    span_view_seek(&view, cache, thread, INT64_MAX);
    do {
        for (uint32_t i = open; i < view.count; i++)
            if (view.spans[i].end > view.spans[i].start) {
                if (count == room)
                    return room + 1;
                all[count++] = place(view.spans, i);
            }
        open = view.crossing_count;
    } while (span_view_back(&view));
    return count;
}

static const struct span *loaded_innermost(const struct timeline_thread *thread, time_ns time)
{
    const struct span *found = NULL;
    for (uint32_t i = 0; i < thread->span_count && thread->spans[i].start <= time; i++)
        if (thread->spans[i].end > time)
            found = &thread->spans[i];
    return found;
}

static bool same_moment(struct span_cache *cache, const struct timeline_thread *loaded,
                        const struct timeline_thread *opened, time_ns time)
{
    struct span_view view;
    const struct span *expected = loaded_innermost(loaded, time);
    span_view_seek(&view, cache, opened, time + 1);
    uint32_t i = span_view_innermost(&view, time);
    if (!expected || i == SPAN_NONE)
        return !expected && i == SPAN_NONE;
    return view.spans[i].start == expected->start && view.spans[i].end == expected->end &&
           view.spans[i].probe == expected->probe;
}

static const char *check_thread(struct span_cache *cache, const struct timeline_thread *loaded,
                                const struct timeline_thread *opened)
{
    uint32_t room = loaded->span_count;
    struct placed *expected = memory_alloc(sizeof *expected * room);
    struct placed *found = memory_alloc(sizeof *found * room);
    uint32_t count = collect_loaded(loaded, expected);
    bool same = collect_opened(cache, opened, found, room) == count;
    if (same && count) {
        qsort(expected, count, sizeof *expected, placed_order);
        qsort(found, count, sizeof *found, placed_order);
        same = memcmp(expected, found, sizeof *found * count) == 0;
    }
    memory_free(expected);
    memory_free(found);
    if (!same)
        return "pages hold other calls";
    uint32_t step = room / 64 + 1;
    for (uint32_t i = 0; i < room; i += step)
        if (!same_moment(cache, loaded, opened, loaded->spans[i].start) ||
            !same_moment(cache, loaded, opened, loaded->spans[i].end))
            return "another call is the innermost";
    return NULL;
}

const char *pages_check(const struct timelines *loaded, const struct timelines *opened)
{
    struct span_cache cache;
    const char *fault = NULL;
    if (loaded->thread_count != opened->thread_count ||
        loaded->interval_count != opened->interval_count ||
        loaded->damage_count != opened->damage_count)
        return "another run";
    span_cache_init(&cache, opened);
    for (uint32_t t = 0; t < loaded->thread_count && !fault; t++) {
        if (loaded->threads[t].first != opened->threads[t].first ||
            loaded->threads[t].last != opened->threads[t].last)
            fault = "a thread's first or last moment is another";
        else
            fault = check_thread(&cache, &loaded->threads[t], &opened->threads[t]);
    }
    span_cache_release(&cache);
    return fault;
}
