#include "waits/pair_window.h"

#include <stdlib.h>

#include "base/memory.h"
#include "waits/thread_life.h"

/* The waits of one thread for one other: none of them overlap. */
struct pair {
    const struct vertex_table *vertices;
    const struct wait_list *list;
    struct pair_windows *windows;
    struct wait *items; /* by time */
    size_t count, capacity;
    const struct wait *longest;
};

/* Of all pairs of the edge's groups, the one with the most waiting. */
static bool choose_pair(struct pair_windows *windows, const struct wait_graph *graph, uint32_t edge,
                        const struct cascade *cascade)
{
    const struct wait_edge *of = &graph->edges[edge];
    time_ns most = 0;
    for (size_t i = 0; i < cascade->edge_count; i++) {
        const struct cascade_edge *pair = &cascade->edges[i];
        time_ns raw = cascade_sum(pair->raw);
        if (graph->group_of[pair->who] != of->from || graph->group_of[pair->whom] != of->to ||
            raw <= most)
            continue;
        most = raw;
        windows->who = pair->who;
        windows->whom = pair->whom;
    }
    return most > 0;
}

/* Of threads that are not of the run, what lies outside of it does not count. */
static void gather(struct pair *pair)
{
    const struct wait_list *list = pair->list;
    for (size_t i = 0; i < list->count; i++) {
        struct wait wait = list->items[i];
        wait.begin = wait.begin < list->from ? list->from : wait.begin;
        wait.end = wait.end > list->until ? list->until : wait.end;
        if (wait.who == pair->windows->who && wait.whom == pair->windows->whom &&
            wait.begin < wait.end)
            VEC_PUSH(pair->items, pair->count, pair->capacity) = wait;
    }
    for (size_t i = 0; i < pair->count; i++) {
        const struct wait *wait = &pair->items[i], *longest = pair->longest;
        if (!longest || wait->end - wait->begin > longest->end - longest->begin)
            pair->longest = wait;
    }
}

/* The first wait that ends behind `time`. */
static size_t first_behind(const struct pair *pair, time_ns time)
{
    size_t low = 0, high = pair->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pair->items[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static time_ns waited_within(const struct pair *pair, time_ns from, time_ns until)
{
    time_ns sum = 0;
    for (size_t i = first_behind(pair, from); i < pair->count && pair->items[i].begin < until;
         i++) {
        time_ns begin = pair->items[i].begin < from ? from : pair->items[i].begin;
        sum += (pair->items[i].end > until ? until : pair->items[i].end) - begin;
    }
    return sum;
}

struct held {
    time_ns waited, from;
};

static int by_waited(const void *a, const void *b)
{
    const struct held *p = a, *q = b;
    if (p->waited != q->waited)
        return p->waited < q->waited ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void set_window(struct pair *pair, enum pair_window_kind kind, time_ns from)
{
    pair->windows->from[kind] = from;
    pair->windows->until[kind] = from + PAIR_WINDOW_NS;
}

/* Of windows of which each one overlaps half of the one before. */
static void choose_two(struct pair *pair)
{
    const struct wait_list *list = pair->list;
    const time_ns step = PAIR_WINDOW_NS / 2;
    size_t count = 0, capacity = 0;
    struct held *windows = NULL;
    for (time_ns from = list->from; from < list->until; from += step) {
        time_ns waited = waited_within(pair, from, from + PAIR_WINDOW_NS);
        if (waited > 0)
            VEC_PUSH(windows, count, capacity) = (struct held){waited, from};
    }
    qsort(windows, count, sizeof *windows, by_waited);
    set_window(pair, PAIR_DENSEST, windows[count - 1].from);
    set_window(pair, PAIR_TYPICAL, windows[count / 2].from);
    memory_free(windows);
}

/* The longest wait stands in the middle, and all of it is to be seen. */
static void choose_longest(struct pair *pair)
{
    time_ns length = pair->longest->end - pair->longest->begin;
    time_ns around = (PAIR_WINDOW_NS - length) / 2;
    around = around < length / 10 ? length / 10 : around;
    pair->windows->from[PAIR_LONGEST] = pair->longest->begin - around;
    pair->windows->until[PAIR_LONGEST] = pair->longest->end + around;
}

static bool fits(const struct pair *pair, uint32_t vertex, time_ns from, time_ns until)
{
    struct thread_life life;
    thread_life_find(&life, pair->vertices, vertex, from, until);
    bool ok = life.count <= PAIR_MOST_STRETCHES;
    thread_life_release(&life);
    return ok;
}

/* The half that is kept: of the densest the denser one, of a typical one the one with
 * less, if it has any, of the longest wait where it ends. */
static bool keeps_first(const struct pair *pair, enum pair_window_kind kind, time_ns from,
                        time_ns until)
{
    time_ns middle = from + (until - from) / 2;
    time_ns first = waited_within(pair, from, middle), second = waited_within(pair, middle, until);
    if (kind == PAIR_LONGEST)
        return pair->longest->end < middle;
    return kind == PAIR_DENSEST ? first >= second : first <= second && first > 0;
}

static void shorten(struct pair *pair, enum pair_window_kind kind)
{
    const struct wait_list *list = pair->list;
    time_ns *from = &pair->windows->from[kind], *until = &pair->windows->until[kind];
    *from = *from < list->from ? list->from : *from;
    *until = *until > list->until ? list->until : *until;
    while (*until - *from > 1000 && !(fits(pair, pair->windows->who, *from, *until) &&
                                      fits(pair, pair->windows->whom, *from, *until))) {
        if (keeps_first(pair, kind, *from, *until))
            *until = *from + (*until - *from) / 2;
        else
            *from += (*until - *from) / 2;
    }
    pair->windows->waited[kind] = waited_within(pair, *from, *until);
}

bool pair_windows_find(struct pair_windows *windows, const struct wait_graph *graph, uint32_t edge,
                       const struct cascade *cascade, const struct wait_list *list)
{
    struct pair pair = {.vertices = cascade->vertices, .list = list, .windows = windows};
    *windows = (struct pair_windows){0};
    if (!choose_pair(windows, graph, edge, cascade))
        return false;
    gather(&pair);
    if (pair.longest) {
        choose_two(&pair);
        choose_longest(&pair);
        for (int k = 0; k < PAIR_WINDOWS; k++)
            shorten(&pair, (enum pair_window_kind)k);
    }
    memory_free(pair.items);
    return pair.longest;
}
