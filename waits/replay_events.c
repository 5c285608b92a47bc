#include "waits/replay_events.h"

#include "base/memory.h"

#define NO_ROW UINT32_MAX
struct gathering {
    const struct timelines *run;
    const struct vertex_table *vertices;
    uint32_t *vertex_of_thread, *row_of; /* by interval */
    struct replay_event *items;          /* as they are found */
    size_t count, capacity;
    uint32_t promises;
};

static void add(struct gathering *g, time_ns time, uint32_t vertex, enum replay_event_kind kind,
                uint32_t number)
{
    VEC_PUSH(g->items, g->count, g->capacity) = (struct replay_event){time, vertex, number, kind};
}

/* ---- what is gathered ---- */

static void add_waits(struct gathering *g, const struct wait_list *waits)
{
    for (size_t i = 0; i < waits->count; i++)
        if (vertex_kind_of(g->vertices, waits->items[i].who) == VERTEX_THREAD)
            add(g, waits->items[i].end, waits->items[i].who, REPLAY_WAIT, (uint32_t)i);
}

static void add_births(struct gathering *g)
{
    for (uint32_t t = 1; t < g->vertices->side->task_count; t++) {
        const struct kernel_task *task = &g->vertices->side->tasks[t];
        if (task->maker != TASK_NONE && task->maker != TASK_IDLE)
            add(g, task->seen, t, REPLAY_BORN, task->maker);
    }
}

static void add_pickups(struct gathering *g, uint32_t index)
{
    const struct timeline_thread *thread = &g->run->threads[index];
    for (uint32_t i = 0; i < thread->pickup_count; i++) {
        const struct pickup *pickup = &thread->pickups[i];
        if (pickup->creator == THREAD_NONE)
            continue;
        add(g, pickup->creation_time, g->vertex_of_thread[pickup->creator], REPLAY_PROMISE,
            g->promises);
        add(g, pickup->time, g->vertex_of_thread[index], REPLAY_TAKE, g->promises++);
    }
}

static void add_labels(struct gathering *g, uint32_t index)
{
    const struct timeline_thread *thread = &g->run->threads[index];
    for (uint32_t i = 0; i < thread->label_count; i++) {
        uint32_t interval = thread->labels[i].interval;
        uint32_t row = interval == INTERVAL_NONE ? NO_ROW : g->row_of[interval];
        if (row != NO_ROW && thread->labels[i].time >= g->run->intervals[interval].begin)
            add(g, thread->labels[i].time, g->vertex_of_thread[index], REPLAY_TAKE, row);
    }
}

static void add_intervals(struct gathering *g, const struct row_list *rows)
{
    g->row_of = memory_alloc(sizeof *g->row_of * ((size_t)g->run->interval_count + 1));
    for (uint32_t i = 0; i < g->run->interval_count; i++)
        g->row_of[i] = NO_ROW;
    for (uint32_t r = 0; r < rows->count; r++) {
        const struct interval *interval = &g->run->intervals[rows->intervals[r]];
        g->row_of[rows->intervals[r]] = r;
        add(g, interval->begin, g->vertex_of_thread[interval->begin_thread], REPLAY_PROMISE, r);
        add(g, interval->end, g->vertex_of_thread[interval->end_thread], REPLAY_END, r);
    }
    for (uint32_t t = 0; t < g->run->thread_count; t++)
        add_labels(g, t);
    memory_free(g->row_of);
}

static uint32_t *vertices_of_threads(const struct timelines *run,
                                     const struct vertex_table *vertices)
{
    uint32_t *vertex_of = memory_alloc(sizeof *vertex_of * ((size_t)run->thread_count + 1));
    for (uint32_t t = 0; t < run->thread_count; t++)
        vertex_of[t] = vertex_of_kind(vertices, VERTEX_UNKNOWN);
    for (uint32_t i = 0; i < vertices->side->task_count; i++)
        if (vertices->side->tasks[i].thread != THREAD_NONE)
            vertex_of[vertices->side->tasks[i].thread] = i;
    return vertex_of;
}

/* ---- in order ---- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct keyed {
    uint64_t key;
    uint32_t item;
};

static time_ns first_time(const struct gathering *g)
{
    time_ns first = INT64_MAX;
    for (size_t i = 0; i < g->count; i++)
        first = g->items[i].time < first ? g->items[i].time : first;
    return first;
}

/* The result is the greatest key. */
static uint64_t make_keys(struct keyed *keys, const struct gathering *g)
{
    time_ns first = first_time(g);
    uint64_t most = 0;
    for (size_t i = 0; i < g->count; i++) {
        uint64_t key = (uint64_t)(g->items[i].time - first) << 3 | g->items[i].kind;
        keys[i] = (struct keyed){key, (uint32_t)i};
        most = key > most ? key : most;
    }
    return most;
}

static void sort_by_digit(struct keyed *to, const struct keyed *from, size_t count, unsigned shift)
{
    size_t first[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        first[(from[i].key >> shift) % DIGITS + 1]++;
    for (size_t d = 0; d < DIGITS; d++)
        first[d + 1] += first[d];
    for (size_t i = 0; i < count; i++)
        to[first[(from[i].key >> shift) % DIGITS]++] = from[i];
}

/* Of one moment and kind, they stay in the order in which they were found. Linear. */
static void put_in_order(struct replay_events *events, const struct gathering *g)
{
    struct keyed *keys = memory_alloc(2 * sizeof *keys * (g->count + 1)), *other = keys + g->count;
    struct keyed *sorted = keys;
    uint64_t most = make_keys(keys, g);
    for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
        struct keyed *to = sorted == keys ? other : keys;
        sort_by_digit(to, sorted, g->count, shift);
        sorted = to;
    }
    events->items = memory_alloc(sizeof *events->items * (g->count + 1));
    events->count = g->count;
    for (size_t i = 0; i < g->count; i++)
        events->items[i] = g->items[sorted[i].item];
    memory_free(keys);
}

void replay_events_fill(struct replay_events *events, const struct timelines *run,
                        const struct vertex_table *vertices, const struct wait_list *waits,
                        const struct row_list *rows)
{
    struct gathering g = {.run = run, .vertices = vertices};
    g.vertex_of_thread = vertices_of_threads(run, vertices);
    g.promises = rows ? (uint32_t)rows->count : 0;
    add_waits(&g, waits);
    add_births(&g);
    if (rows)
        add_intervals(&g, rows);
    for (uint32_t t = 0; t < run->thread_count; t++)
        add_pickups(&g, t);
    put_in_order(events, &g);
    events->promises = g.promises;
    memory_free(g.items);
    memory_free(g.vertex_of_thread);
}

void replay_events_release(struct replay_events *events)
{
    memory_free(events->items);
    *events = (struct replay_events){0};
}
