#include "pages_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/span_walk_run.h"

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

static struct placed place(time_ns start, time_ns end, uint64_t target, uint32_t probe)
{
    struct placed placed;
    memset(&placed, 0, sizeof placed);
    placed.start = start;
    placed.end = end;
    placed.target = target;
    placed.probe = probe;
    return placed;
}

static void place_in(struct placed *placed, time_ns start, time_ns end, uint32_t probe)
{
    placed->parent_start = start;
    placed->parent_end = end;
    placed->parent_probe = probe;
}

/* Calls that take no time are in no moment: where they stand is not told. */
static uint32_t collect_loaded(const struct timeline_thread *thread, struct placed *all)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < thread->span_count; i++) {
        const struct span *span = &thread->spans[i];
        if (span->end <= span->start)
            continue;
        struct placed placed = place(span->start, span->end, span->target, span->probe);
        if (span->parent != SPAN_NONE) {
            const struct span *parent = &thread->spans[span->parent];
            place_in(&placed, parent->start, parent->end, parent->probe);
        }
        all[count++] = placed;
    }
    return count;
}

/* The calls of a walk, and those that are open where it is. */
struct collecting {
    struct placed *all;
    uint32_t count, room;
    struct walked_call *open;
    uint32_t depth, capacity;
};

static uint64_t collect(void *context, const struct walked_call *call,
                        const struct walk_open *around, struct walk_open *innermost)
{
    struct collecting *c = context;
    (void)around, (void)innermost;
    c->depth = call->depth;
    VEC_PUSH(c->open, c->depth, c->capacity) = *call;
    if (call->end <= call->start || c->count++ >= c->room)
        return 0;
    struct placed placed = place(call->start, call->end, call->target, call->probe);
    if (call->depth) {
        const struct walked_call *parent = &c->open[call->depth - 1];
        place_in(&placed, parent->start, parent->end, parent->probe);
    }
    c->all[c->count - 1] = placed;
    return 0;
}

static uint32_t collect_opened(struct span_walk *walk, const struct timeline_thread *thread,
                               struct placed *all, uint32_t room)
{
    struct collecting collecting = {.all = all, .room = room};
    span_walk_run(walk, thread, INT64_MIN, INT64_MAX, 0, collect, &collecting);
    memory_free(collecting.open);
    return collecting.count;
}

static const struct span *loaded_innermost(const struct timeline_thread *thread, time_ns time)
{
    const struct span *found = NULL;
    for (uint32_t i = 0; i < thread->span_count && thread->spans[i].start <= time; i++)
        if (thread->spans[i].end > time)
            found = &thread->spans[i];
    return found;
}

static uint64_t note_innermost(void *context, const struct walked_call *call,
                               const struct walk_open *around, struct walk_open *innermost)
{
    (void)around, (void)innermost;
    if (call->end > call->start)
        *(struct walked_call *)context = *call;
    return 0;
}

static bool same_moment(struct span_walk *walk, const struct timeline_thread *loaded,
                        const struct timeline_thread *opened, time_ns time)
{
    struct walked_call found = {.end = INT64_MIN};
    const struct span *expected = loaded_innermost(loaded, time);
    span_walk_run(walk, opened, time, time + 1, 0, note_innermost, &found);
    if (!expected || found.end == INT64_MIN)
        return !expected && found.end == INT64_MIN;
    return found.start == expected->start && found.end == expected->end &&
           found.probe == expected->probe;
}

static const char *check_thread(struct span_walk *walk, const struct timeline_thread *loaded,
                                const struct timeline_thread *opened)
{
    uint32_t room = loaded->span_count;
    struct placed *expected = memory_alloc(sizeof *expected * room);
    struct placed *found = memory_alloc(sizeof *found * room);
    uint32_t count = collect_loaded(loaded, expected);
    bool same = collect_opened(walk, opened, found, room) == count;
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
        if (!same_moment(walk, loaded, opened, loaded->spans[i].start) ||
            !same_moment(walk, loaded, opened, loaded->spans[i].end))
            return "another call is the innermost";
    return NULL;
}

const char *pages_check(const struct timelines *loaded, const struct timelines *opened)
{
    struct span_walk walk;
    const char *fault = NULL;
    if (loaded->thread_count != opened->thread_count ||
        loaded->interval_count != opened->interval_count ||
        loaded->damage_count != opened->damage_count)
        return "another run";
    span_walk_init(&walk, opened);
    for (uint32_t t = 0; t < loaded->thread_count && !fault; t++) {
        if (loaded->threads[t].first != opened->threads[t].first ||
            loaded->threads[t].last != opened->threads[t].last)
            fault = "a thread's first or last moment is another";
        else
            fault = check_thread(&walk, &loaded->threads[t], &opened->threads[t]);
    }
    span_walk_release(&walk);
    return fault;
}
