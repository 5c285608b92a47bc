#include "waits/cascade.h"

#include "base/memory.h"
#include "base/moment_heap.h"

/* What is true of a vertex since its own sums were last brought up to date. */
struct standing {
    const struct wait *wait; /* NULL: it is not blocked */
    uint32_t whom;
    size_t edge;
    uint64_t own;    /* 1: it is of the run, and what it waits counts by itself; else 0 */
    uint64_t behind; /* threads of the run that are blocked behind it, itself not counted */
    time_ns since;
    time_ns blocked;      /* it was so long in all, until `since` */
    time_ns whom_blocked; /* and whom it waits for, at `since` */
};

struct sweep {
    struct cascade *cascade;
    struct standing *standings; /* by vertex */
    uint32_t window;
    uint32_t unknown; /* the vertex */
};

static size_t edge_of(struct cascade *cascade, uint32_t who, uint32_t whom)
{
    uint64_t *known = hash_map_put(&cascade->edge_of, (uint64_t)who << 32 | whom);
    if (!*known) {
        VEC_PUSH(cascade->edges, cascade->edge_count, cascade->edge_capacity) =
            (struct cascade_edge){.who = who, .whom = whom};
        *known = cascade->edge_count;
    }
    return *known - 1;
}

static time_ns blocked_until(const struct standing *standing, time_ns time)
{
    return standing->blocked + (standing->wait ? time - standing->since : 0);
}

/* Adds what has gone by since, with what stands now. */
static void settle(struct sweep *s, uint32_t vertex, time_ns time)
{
    struct standing *standing = &s->standings[vertex];
    time_ns gone = time - standing->since;
    if (!standing->wait) {
        s->cascade->blame[vertex] += gone * (time_ns)standing->behind;
        standing->since = time;
        return;
    }
    struct cascade_edge *edge = &s->cascade->edges[standing->edge];
    time_ns whom_blocked = blocked_until(&s->standings[standing->whom], time);
    if (standing->own + standing->behind) {
        edge->raw[s->window] += gone;
        edge->leaf[s->window] += gone - (whom_blocked - standing->whom_blocked);
    }
    edge->cascaded[s->window] += gone * (time_ns)(standing->own + standing->behind);
    standing->blocked += gone;
    standing->whom_blocked = whom_blocked;
    standing->since = time;
}

/* All whom `vertex` waits for, and itself, have so many more behind them, or fewer. */
static void change_behind(struct sweep *s, uint32_t vertex, uint64_t by, time_ns time)
{
    for (;; vertex = s->standings[vertex].whom) {
        settle(s, vertex, time);
        s->standings[vertex].behind += by;
        if (!s->standings[vertex].wait)
            return;
    }
}

static bool closes_circle(const struct sweep *s, uint32_t who, uint32_t whom)
{
    while (whom != who && s->standings[whom].wait)
        whom = s->standings[whom].whom;
    return whom == who;
}

static void begin(struct sweep *s, const struct wait *wait)
{
    struct standing *standing = &s->standings[wait->who];
    uint32_t whom = wait->whom;
    if (closes_circle(s, wait->who, whom)) {
        whom = s->unknown;
        s->cascade->circles++;
    }
    settle(s, wait->who, wait->begin);
    change_behind(s, whom, standing->own + standing->behind, wait->begin);
    standing->wait = wait;
    standing->whom = whom;
    standing->edge = edge_of(s->cascade, wait->who, whom);
    standing->whom_blocked = blocked_until(&s->standings[whom], wait->begin);
}

void cascade_edge_count(struct cascade_edge *edge, time_ns length)
{
    int octave = 63 - __builtin_clzll((unsigned long long)length);
    edge->lengths[octave < CASCADE_LENGTHS ? octave : CASCADE_LENGTHS - 1]++;
    edge->longest = length > edge->longest ? length : edge->longest;
    edge->count++;
}

static void end(struct sweep *s, const struct wait *wait)
{
    struct standing *standing = &s->standings[wait->who];
    struct cascade_edge *edge = &s->cascade->edges[standing->edge];
    settle(s, wait->who, wait->end);
    cascade_edge_count(edge, wait->end - wait->begin);
    change_behind(s, standing->whom, -(standing->own + standing->behind), wait->end);
    standing->wait = NULL;
}

static void next_window(struct sweep *s)
{
    for (uint32_t v = 0; v < s->cascade->vertices->count; v++)
        settle(s, v, s->cascade->borders[s->window + 1]);
    s->window++;
}

/* Of a moment, ends come before beginnings: a thread's next wait may begin when its last one ends. */
static void walk(struct sweep *s, const struct wait_list *waits)
{
    struct moment_heap ends = {0}; /* of what has begun */
    size_t begun = 0;
    while (begun < waits->count || ends.count) {
        const struct wait *next = &waits->items[begun];
        bool is_end = begun == waits->count || (ends.count && ends.items[0].time <= next->begin);
        time_ns time = is_end ? ends.items[0].time : next->begin;
        while (s->window + 1 < CASCADE_WINDOWS && time > s->cascade->borders[s->window + 1])
            next_window(s);
        if (is_end) {
            end(s, s->standings[ends.items[0].who].wait);
            moment_heap_drop(&ends);
        } else {
            begin(s, next);
            moment_heap_add(&ends, (struct heap_moment){next->end, next->who});
            begun++;
        }
    }
    moment_heap_release(&ends);
}

static void cut_windows(struct cascade *cascade, const struct wait_list *waits)
{
    time_ns length = waits->until - waits->from;
    for (uint32_t w = 0; w <= CASCADE_WINDOWS; w++)
        cascade->borders[w] =
            waits->from + (time_ns)((__int128)length * w / (time_ns)CASCADE_WINDOWS);
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        cascade->recorded[w] = kernel_side_recorded(cascade->vertices->side, cascade->borders[w],
                                                    cascade->borders[w + 1]);
}

void cascade_sweep(struct cascade *cascade, const struct wait_list *waits,
                   const struct vertex_table *vertices)
{
    *cascade = (struct cascade){.vertices = vertices};
    cascade->blame = memory_zeroed((vertices->count + 1) * sizeof *cascade->blame);
    cut_windows(cascade, waits);
    struct sweep s = {.cascade = cascade,
                      .unknown = vertex_of_kind(vertices, VERTEX_UNKNOWN),
                      .standings = memory_zeroed((vertices->count + 1) * sizeof *s.standings)};
    for (uint32_t v = 0; v < vertices->count; v++) {
        s.standings[v].since = waits->from;
        s.standings[v].own = vertex_is_of_run(vertices, v);
    }
    walk(&s, waits);
    memory_free(s.standings);
}

void cascade_release(struct cascade *cascade)
{
    memory_free(cascade->edges);
    memory_free(cascade->blame);
    hash_map_release(&cascade->edge_of);
    *cascade = (struct cascade){0};
}

time_ns cascade_sum(const time_ns *of_windows)
{
    time_ns sum = 0;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        sum += of_windows[w];
    return sum;
}

const char *cascade_check(const struct cascade *cascade, const struct wait_list *waits)
{
    time_ns all = 0, raw = 0, leaf = 0, cascaded = 0, blame = 0;
    for (size_t i = 0; i < waits->count; i++)
        if (vertex_is_of_run(cascade->vertices, waits->items[i].who))
            all += waits->items[i].end - waits->items[i].begin;
    for (size_t i = 0; i < cascade->edge_count; i++) {
        if (!vertex_is_of_run(cascade->vertices, cascade->edges[i].who))
            continue;
        raw += cascade_sum(cascade->edges[i].raw);
        leaf += cascade_sum(cascade->edges[i].leaf);
        cascaded += cascade_sum(cascade->edges[i].cascaded);
    }
    for (uint32_t v = 0; v < cascade->vertices->count; v++)
        blame += cascade->blame[v];
    if (raw != all)
        return "the waits of all edges are not all waits";
    if (blame != all)
        return "what is blamed is not what was waited";
    return leaf <= raw && raw <= cascaded ? NULL
                                          : "an edge's cascaded waits are less than its waits";
}
