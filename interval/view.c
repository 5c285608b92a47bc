#include "interval/view.h"

#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/number.h"
#include "interval/processor_track.h"
#include "symbol/kernel_name.h"
#include "symbol/object_naming.h"
#include "trace/span_walk_run.h"

/* Where only the longest calls and blocks are wished for, those that take less than one part in so
 * many of the interval's latency are not even kept. */
enum { LEAST_PART = 2000 };

/* A call or a block, from beginning to end. */
struct activity {
    time_ns start, end;
    const char *name;
    bool blocked;
};

/* A track in the making is one thread's. */
struct making_track {
    uint32_t thread;
    struct track_stretch *worked; /* for the interval; ns since its begin */
    size_t worked_count, worked_capacity;
    struct activity *activities;
    size_t count, capacity;
};

struct making_arrow {
    struct track_arrow arrow;
    int64_t blocked_ns; /* how long the block was that it ends; of a task: INT64_MAX */
};

/* A range of a track matters: in [lo, hi] it worked for the interval, or kept another waiting. */
struct making_range {
    uint32_t track;
    time_ns lo, hi;
};

struct making {
    struct interval_view *view;
    struct interval_source *source;
    const struct timelines *run;
    const struct interval_wish *wish;
    time_ns begin, end;
    struct hash_map track_of; /* thread -> track + 1 */
    struct hash_map too_many; /* threads without a track */
    struct making_track *tracks;
    size_t track_count, track_capacity;
    struct making_arrow *arrows;
    size_t arrow_count, arrow_capacity;
    struct making_range *ranges; /* still to be followed */
    size_t range_count, range_capacity;
    struct hash_map followed; /* (thread, block) */
    int64_t least_ns;
    uint64_t left_out;
};

static time_ns within(const struct making *m, time_ns time)
{
    return time < m->begin ? m->begin : time > m->end ? m->end : time;
}

/* ---- the choice of threads ---- */

/* A thread gets its track; false: there are too many. */
static bool take_thread(struct making *m, uint32_t thread, uint32_t *track)
{
    const uint64_t *known = hash_map_get(&m->track_of, thread);
    if (!known && m->track_count == m->wish->most_tracks) {
        hash_map_put(&m->too_many, thread);
        return false;
    }
    if (!known) {
        *hash_map_put(&m->track_of, thread) = m->track_count + 1;
        VEC_PUSH(m->tracks, m->track_count, m->track_capacity) =
            (struct making_track){.thread = thread};
    }
    *track = known ? (uint32_t)*known - 1 : (uint32_t)m->track_count - 1;
    return true;
}

static const struct timeline_thread *thread_of(const struct making *m, uint32_t track)
{
    return &m->run->threads[m->tracks[track].thread];
}

/* The first label at or after `label` that is the interval's and begins before its end; the count
 * of labels: there is none. */
static uint32_t next_work(const struct making *m, const struct timeline_thread *thread,
                          uint32_t label)
{
    for (; label < thread->label_count && thread->labels[label].time <= m->end; label++)
        if (thread->labels[label].interval == m->wish->interval)
            return label;
    return thread->label_count;
}

static uint32_t first_work(const struct making *m, const struct timeline_thread *thread)
{
    int64_t label = timeline_label_at(thread, m->begin);
    return next_work(m, thread, label < 0 ? 0 : (uint32_t)label);
}

/* A track worked when its thread was labelled with the interval. */
static void set_worked(struct making *m, uint32_t index)
{
    struct making_track *track = &m->tracks[index];
    const struct timeline_thread *thread = thread_of(m, index);
    for (uint32_t i = first_work(m, thread); i < thread->label_count;
         i = next_work(m, thread, i + 1)) {
        time_ns lo = within(m, thread->labels[i].time), hi = m->end;
        if (i + 1 < thread->label_count)
            hi = within(m, thread->labels[i + 1].time);
        if (lo >= hi)
            continue;
        VEC_PUSH(track->worked, track->worked_count, track->worked_capacity) =
            (struct track_stretch){lo - m->begin, hi - m->begin};
        VEC_PUSH(m->ranges, m->range_count, m->range_capacity) =
            (struct making_range){index, lo, hi};
    }
}

struct worker {
    uint32_t thread;
    time_ns since;
};

static int earlier_first(const void *a, const void *b)
{
    const struct worker *s = a, *t = b;
    if (s->since != t->since)
        return s->since < t->since ? -1 : 1;
    return (s->thread > t->thread) - (s->thread < t->thread);
}

/* The threads are taken in the order in which they began to work for the interval. */
static void take_workers(struct making *m)
{
    struct worker *workers = memory_alloc(sizeof *workers * (m->run->thread_count + 1));
    size_t count = 0;
    for (uint32_t t = 0; t < m->run->thread_count; t++) {
        const struct timeline_thread *thread = &m->run->threads[t];
        uint32_t label = first_work(m, thread);
        if (label < thread->label_count)
            workers[count++] = (struct worker){t, thread->labels[label].time};
    }
    qsort(workers, count, sizeof *workers, earlier_first);
    for (size_t i = 0; i < count; i++) {
        uint32_t track;
        if (take_thread(m, workers[i].thread, &track))
            set_worked(m, track);
    }
    memory_free(workers);
}

static void add_arrow(struct making *m, uint32_t from, uint32_t to, time_ns from_time,
                      time_ns to_time, int64_t blocked_ns)
{
    VEC_PUSH(m->arrows, m->arrow_count, m->arrow_capacity) = (struct making_arrow){
        {from, to, from_time - m->begin, to_time - m->begin, blocked_ns == INT64_MAX}, blocked_ns};
}

/* A block that matters is followed to who ended it, and to what that one did meanwhile. */
static void follow_block(struct making *m, const struct making_range *range, uint32_t index)
{
    uint32_t thread = m->tracks[range->track].thread, from;
    const struct block *block = &m->run->threads[thread].blocks[index];
    if (block->waker == THREAD_NONE || block->end > m->end || block->waker_time < m->begin)
        return;
    uint64_t *followed = hash_map_put(&m->followed, (uint64_t)thread << 32 | index);
    if (*followed || !take_thread(m, block->waker, &from))
        return;
    *followed = true;
    add_arrow(m, from, range->track, block->waker_time, block->end,
              block->end - within(m, block->start));
    time_ns lo = block->start > range->lo ? block->start : range->lo;
    if (lo < block->waker_time)
        VEC_PUSH(m->ranges, m->range_count, m->range_capacity) =
            (struct making_range){from, lo, block->waker_time};
}

static void follow_ranges(struct making *m)
{
    for (size_t i = 0; i < m->range_count; i++) {
        struct making_range range = m->ranges[i];
        const struct timeline_thread *thread = thread_of(m, range.track);
        int64_t block = timeline_block_before(thread, range.hi - 1);
        for (; block >= 0 && thread->blocks[block].end > range.lo; block--)
            follow_block(m, &range, (uint32_t)block);
    }
}

static bool worked_at(const struct making *m, uint32_t thread, time_ns time)
{
    int64_t label = timeline_label_at(&m->run->threads[thread], time);
    return label >= 0 && m->run->threads[thread].labels[label].interval == m->wish->interval;
}

/* Tasks that were made for the interval. */
static void take_creators(struct making *m, uint32_t track)
{
    const struct timeline_thread *thread = thread_of(m, track);
    for (uint32_t i = 0; i < thread->pickup_count; i++) {
        const struct pickup *pickup = &thread->pickups[i];
        uint32_t from;
        if (pickup->creator == THREAD_NONE || pickup->creation_time < m->begin ||
            pickup->time > m->end || !worked_at(m, pickup->creator, pickup->creation_time))
            continue;
        if (take_thread(m, pickup->creator, &from))
            add_arrow(m, from, track, pickup->creation_time, pickup->time, INT64_MAX);
    }
}

/* ---- the deeds of a thread ---- */

static int64_t shown_ns(const struct making *m, const struct activity *activity)
{
    return within(m, activity->end) - within(m, activity->start);
}

static void add_activity(struct making *m, struct making_track *track, struct activity activity)
{
    int64_t ns = shown_ns(m, &activity);
    if (ns > 0 && ns >= m->least_ns)
        VEC_PUSH(track->activities, track->count, track->capacity) = activity;
    else
        m->left_out++;
}

struct collecting {
    struct making *m;
    struct making_track *track;
};

static uint64_t collect_call(void *context, const struct walked_call *call,
                             const struct walk_open *around, struct walk_open *innermost)
{
    const struct collecting *c = context;
    struct callee_table *callees = &c->m->source->callees;
    uint32_t process = c->m->run->threads[c->track->thread].process;
    (void)around, (void)innermost;
    uint32_t callee =
        callee_of_call(callees, process, call->probe, call->target).callee; /* may move the items */
    add_activity(c->m, c->track,
                 (struct activity){call->start, call->end, callees->items[callee].name, false});
    return 0;
}

static void collect_calls(struct making *m, struct making_track *track)
{
    struct collecting collecting = {m, track};
    if (m->begin < m->end)
        span_walk_run(&m->source->walk, &m->run->threads[track->thread], m->begin, m->end, 0,
                      collect_call, &collecting);
}

static void collect_blocks(struct making *m, struct making_track *track)
{
    const struct timeline_thread *thread = &m->run->threads[track->thread];
    for (uint32_t i = 0; i < thread->block_count; i++) {
        const struct block *block = &thread->blocks[i];
        if (block->end <= m->begin || block->start >= m->end)
            continue;
        uint32_t callee = block->operation == BLOCK_OFF_CPU
                              ? callee_of_off(&m->source->callees, off_of_block(thread, i))
                              : callee_of_block(&m->source->callees, block);
        const char *name =
            arena_printf(&m->view->arena, "blocked: %s", m->source->callees.items[callee].name);
        add_activity(m, track, (struct activity){block->start, block->end, name, true});
    }
}

static int longer_first(const void *a, const void *b)
{
    int64_t s = *(const int64_t *)a, t = *(const int64_t *)b;
    return (s < t) - (s > t);
}

/* Raises the least length until no more calls and blocks reach it than are wished for. */
static void set_least(struct making *m)
{
    size_t count = 0, at = 0;
    for (uint32_t t = 0; t < m->track_count; t++)
        count += m->tracks[t].count;
    if (!m->wish->most_spans || count <= m->wish->most_spans)
        return;
    int64_t *lengths = memory_alloc(sizeof *lengths * count);
    for (uint32_t t = 0; t < m->track_count; t++)
        for (size_t i = 0; i < m->tracks[t].count; i++)
            lengths[at++] = shown_ns(m, &m->tracks[t].activities[i]);
    qsort(lengths, count, sizeof *lengths, longer_first);
    m->least_ns = lengths[m->wish->most_spans] + 1;
    memory_free(lengths);
}

static void drop_short(struct making *m, struct making_track *track)
{
    size_t kept = 0;
    for (size_t i = 0; i < track->count; i++)
        if (shown_ns(m, &track->activities[i]) >= m->least_ns)
            track->activities[kept++] = track->activities[i];
    m->left_out += track->count - kept;
    track->count = kept;
}

/* ---- the tracks ---- */

/* Uncut, or who is around whom would be lost; a call before the block in it. */
static int outer_first(const void *a, const void *b)
{
    const struct activity *s = a, *t = b;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    if (s->end != t->end)
        return s->end > t->end ? -1 : 1;
    return s->blocked - t->blocked;
}

static void emit(struct making *m, struct track *track, time_ns time,
                 const struct activity *activity, bool opens)
{
    track->events[track->event_count++] =
        (struct track_event){within(m, time) - m->begin, activity->name, opens, activity->blocked};
}

/* An activity that sticks out of the one around it is cut: every close belongs to the last open. */
static void nest(struct making *m, const struct making_track *from, struct track *track)
{
    struct activity *open = memory_alloc(sizeof *open * (from->count + 1));
    size_t depth = 0;
    track->events = ARENA_ARRAY(&m->view->arena, struct track_event, 2 * from->count + 1);
    for (size_t i = 0; i <= from->count; i++) {
        time_ns start = i < from->count ? from->activities[i].start : INT64_MAX;
        while (depth && open[depth - 1].end <= start) {
            depth--;
            emit(m, track, open[depth].end, &open[depth], false);
        }
        if (i == from->count)
            break;
        struct activity activity = from->activities[i];
        if (depth && activity.end > open[depth - 1].end)
            activity.end = open[depth - 1].end;
        emit(m, track, activity.start, &activity, true);
        open[depth++] = activity;
    }
    memory_free(open);
}

static void make_track(struct making *m, struct making_track *from, struct track *track)
{
    const struct timeline_thread *thread = &m->run->threads[from->thread];
    struct track_stretch *worked =
        ARENA_ARRAY(&m->view->arena, struct track_stretch, from->worked_count);
    for (size_t i = 0; i < from->worked_count; i++)
        worked[i] = from->worked[i];
    *track = (struct track){.pid = m->run->processes[thread->process].pid,
                            .tid = thread->tid,
                            .worked = worked,
                            .worked_count = from->worked_count};
    drop_short(m, from);
    if (from->count)
        qsort(from->activities, from->count, sizeof *from->activities, outer_first);
    nest(m, from, track);
}

static void make_tracks(struct making *m)
{
    struct track_view *view = &m->view->view;
    view->track_count = (uint32_t)m->track_count;
    view->tracks = ARENA_ARRAY(&m->view->arena, struct track, m->track_count);
    for (uint32_t i = 0; i < m->track_count; i++)
        make_track(m, &m->tracks[i], &view->tracks[i]);
}

static void copy_arrows(struct making *m)
{
    struct track_view *view = &m->view->view;
    view->arrows = ARENA_ARRAY(&m->view->arena, struct track_arrow, m->arrow_count);
    for (size_t i = 0; i < m->arrow_count; i++)
        if (m->arrows[i].blocked_ns >= m->least_ns)
            view->arrows[view->arrow_count++] = m->arrows[i].arrow;
}

/* ---- the whole ---- */

void interval_source_init(struct interval_source *source, const struct timelines *run,
                          const struct function_table *functions)
{
    source->run = run;
    callee_table_init(&source->callees, run, functions);
    object_naming_fill(&source->callees);
    span_walk_init(&source->walk, run);
}

void interval_source_close(struct interval_source *source)
{
    if (source->walk.run)
        span_walk_release(&source->walk);
}

void interval_source_release(struct interval_source *source)
{
    interval_source_close(source);
    callee_table_release(&source->callees);
}

static void name_view(struct making *m)
{
    struct track_view *view = &m->view->view;
    const char *type = m->run->intervals[m->wish->interval].type;
    view->what = arena_strdup(&m->view->arena, m->wish->what);
    view->type = type ? type : "";
    view->number = m->wish->number;
    view->latency_ns = m->end - m->begin;
    view->name = arena_printf(&m->view->arena, "%s: interval %u, %s", m->wish->what, view->number,
                              number_ns((double)view->latency_ns, true).text);
}

static void making_release(struct making *m)
{
    for (uint32_t i = 0; i < m->track_count; i++) {
        memory_free(m->tracks[i].worked);
        memory_free(m->tracks[i].activities);
    }
    hash_map_release(&m->track_of);
    hash_map_release(&m->too_many);
    hash_map_release(&m->followed);
    memory_free(m->tracks);
    memory_free(m->arrows);
    memory_free(m->ranges);
}

void interval_view_make(struct interval_view *view, struct interval_source *source,
                        const struct interval_wish *wish)
{
    const struct interval *interval = &source->run->intervals[wish->interval];
    *view = (struct interval_view){0};
    struct making m = {.view = view,
                       .source = source,
                       .run = source->run,
                       .wish = wish,
                       .begin = interval->begin,
                       .end = interval->end};
    name_view(&m);
    if (wish->most_spans)
        m.least_ns = view->view.latency_ns / LEAST_PART;
    take_workers(&m);
    for (uint32_t i = 0; i < m.track_count; i++)
        take_creators(&m, i);
    follow_ranges(&m);
    for (uint32_t i = 0; i < m.track_count; i++) {
        collect_calls(&m, &m.tracks[i]);
        collect_blocks(&m, &m.tracks[i]);
    }
    set_least(&m);
    make_tracks(&m);
    copy_arrows(&m);
    if (wish->processors)
        processor_tracks_make(&view->view, &view->arena, &source->callees, m.begin, m.end);
    view->view.least_ns = m.least_ns;
    view->view.left_out = m.left_out;
    view->view.left_out_tracks = (uint32_t)m.too_many.count;
    making_release(&m);
}

void interval_view_release(struct interval_view *view)
{
    arena_release(&view->arena);
}
