#include "driver/interval_view.h"

#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "report/number.h"
#include "trace/span_view.h"

enum { MOST_TRACKS = 64 };

/* A stretch of a thread's time; ns since the interval's begin. */
struct stretch {
    int64_t start, end;
    const char *name;
};

struct making {
    struct interval_view *view;
    const struct timelines *run;
    struct callee_table *callees;
    struct span_cache spans;
    uint32_t interval;
    time_ns begin, end;
    struct hash_map track_of; /* thread -> track + 1 */
    uint32_t *threads;        /* by track */
    size_t thread_count, thread_capacity;
    struct stretch *stretches; /* of one thread */
    size_t count, capacity;
    struct track_wake_up *wake_ups;
    size_t wake_count, wake_capacity;
};

/* ---- which threads ---- */

/* Its track; false: there are too many. */
static bool take_thread(struct making *m, uint32_t thread, uint32_t *track)
{
    uint64_t *known = hash_map_put(&m->track_of, thread);
    if (!*known && m->thread_count < MOST_TRACKS) {
        VEC_PUSH(m->threads, m->thread_count, m->thread_capacity) = thread;
        *known = m->thread_count;
    }
    *track = (uint32_t)*known - 1;
    return *known;
}

static bool worked_for(const struct making *m, uint32_t thread)
{
    const struct timeline_thread *t = &m->run->threads[thread];
    int64_t at = timeline_label_at(t, m->begin);
    for (uint32_t i = at < 0 ? 0 : (uint32_t)at; i < t->label_count; i++) {
        if (t->labels[i].time > m->end)
            return false;
        if (t->labels[i].interval == m->interval)
            return true;
    }
    return false;
}

static void take_wakers(struct making *m, uint32_t track)
{
    const struct timeline_thread *t = &m->run->threads[m->threads[track]];
    for (uint32_t i = 0; i < t->block_count; i++) {
        const struct block *block = &t->blocks[i];
        if (block->waker == THREAD_NONE || block->end <= m->begin || block->end > m->end ||
            block->waker_time < m->begin)
            continue;
        uint32_t from;
        if (take_thread(m, block->waker, &from))
            VEC_PUSH(m->wake_ups, m->wake_count, m->wake_capacity) = (struct track_wake_up){
                from, track, block->waker_time - m->begin, block->end - m->begin};
    }
}

/* ---- what a thread did ---- */

static void add_stretch(struct making *m, time_ns start, time_ns end, const char *name)
{
    start = start < m->begin ? m->begin : start;
    end = end > m->end ? m->end : end;
    if (start < end)
        VEC_PUSH(m->stretches, m->count, m->capacity) =
            (struct stretch){start - m->begin, end - m->begin, name};
}

static int outer_first(const void *a, const void *b)
{
    const struct stretch *s = a, *t = b;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    return s->end > t->end ? -1 : s->end < t->end;
}

static void collect_spans(struct making *m, const struct timeline_thread *t)
{
    struct span_view view;
    uint32_t i = 0;
    span_view_seek(&view, &m->spans, t, m->end);
    do {
        for (; i < view.count && view.spans[i].end > m->begin; i++) {
            const struct span *span = &view.spans[i];
            uint32_t callee =
                callee_of_span(m->callees, t->process, span).callee; /* may move the items */
            add_stretch(m, span->start, span->end, m->callees->items[callee].name);
        }
        i = view.crossing_count; /* the page before begins with them */
    } while (view.begin > m->begin && span_view_back(&view));
}

static void collect_blocks(struct making *m, const struct timeline_thread *t)
{
    for (uint32_t i = 0; i < t->block_count; i++) {
        const struct block *block = &t->blocks[i];
        if (block->end <= m->begin || block->start >= m->end)
            continue;
        uint32_t callee = callee_of_block(m->callees, block);
        add_stretch(m, block->start, block->end,
                    arena_printf(&m->view->arena, "blocked: %s", m->callees->items[callee].name));
    }
}

static void emit(struct track *track, int64_t at_ns, const char *name, bool opens)
{
    track->events[track->event_count++] = (struct track_event){at_ns, name, opens};
}

/* What sticks out of the stretch around it is cut: every close belongs to the last open. */
static void nest(struct making *m, struct track *track)
{
    struct stretch *open = memory_alloc(sizeof *open * (m->count + 1));
    size_t depth = 0;
    track->events = ARENA_ARRAY(&m->view->arena, struct track_event, 2 * m->count + 1);
    for (size_t i = 0; i <= m->count; i++) {
        int64_t start = i < m->count ? m->stretches[i].start : INT64_MAX;
        while (depth && open[depth - 1].end <= start) {
            depth--;
            emit(track, open[depth].end, open[depth].name, false);
        }
        if (i == m->count)
            break;
        struct stretch stretch = m->stretches[i];
        if (depth && stretch.end > open[depth - 1].end)
            stretch.end = open[depth - 1].end;
        emit(track, stretch.start, stretch.name, true);
        open[depth++] = stretch;
    }
    memory_free(open);
}

/* ---- the whole ---- */

static void make_tracks(struct making *m)
{
    struct track_view *view = &m->view->view;
    view->track_count = (uint32_t)m->thread_count;
    view->tracks = ARENA_ARRAY(&m->view->arena, struct track, m->thread_count);
    for (uint32_t i = 0; i < m->thread_count; i++) {
        const struct timeline_thread *t = &m->run->threads[m->threads[i]];
        view->tracks[i] = (struct track){.pid = m->run->processes[t->process].pid, .tid = t->tid};
        m->count = 0;
        collect_spans(m, t);
        collect_blocks(m, t);
        if (m->count)
            qsort(m->stretches, m->count, sizeof *m->stretches, outer_first);
        nest(m, &view->tracks[i]);
    }
}

static void copy_wake_ups(struct making *m)
{
    struct track_view *view = &m->view->view;
    view->wake_up_count = (uint32_t)m->wake_count;
    view->wake_ups = ARENA_ARRAY(&m->view->arena, struct track_wake_up, m->wake_count);
    for (size_t i = 0; i < m->wake_count; i++)
        view->wake_ups[i] = m->wake_ups[i];
}

void interval_view_make(struct interval_view *view, const struct timelines *run,
                        struct callee_table *callees, uint32_t interval, uint32_t number,
                        const char *what)
{
    *view = (struct interval_view){0};
    struct making m = {.view = view,
                       .run = run,
                       .callees = callees,
                       .interval = interval,
                       .begin = run->intervals[interval].begin,
                       .end = run->intervals[interval].end};
    uint32_t track;
    span_cache_init(&m.spans, run);
    view->view.latency_ns = m.end - m.begin;
    view->view.name = arena_printf(&view->arena, "%s: interval %u, %s", what, number,
                                   number_ns((double)view->view.latency_ns, true).text);
    for (uint32_t t = 0; t < run->thread_count; t++)
        if (worked_for(&m, t))
            take_thread(&m, t, &track);
    for (uint32_t i = 0; i < m.thread_count; i++) /* wakers' wakers too */
        take_wakers(&m, i);
    make_tracks(&m);
    copy_wake_ups(&m);
    span_cache_release(&m.spans);
    hash_map_release(&m.track_of);
    memory_free(m.threads);
    memory_free(m.stretches);
    memory_free(m.wake_ups);
}

void interval_view_release(struct interval_view *view)
{
    arena_release(&view->arena);
}
