/* What the script draws of the edges that matter most: two threads in a few windows of time. */
#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/number.h"
#include "report/kit/json_parts.h"
#include "report/waits/waits_html_parts.h"
#include "waits/pair_window.h"
#include "waits/thread_life.h"

/* Each edge takes three windows of two threads, at most 60 kB of the page (chosen). */
enum { MOST_PAIRS = 10 };

/* A stretch is three numbers: ns after the end of the last one, how long, and one of these, or
 * STRETCH_WAITS and the number of whom it waits for in `names`. */
enum { STRETCH_RUNS, STRETCH_WANTS, STRETCH_WAITS };

struct pair_writing {
    const struct waits *waits;
    struct hash_map number_of; /* vertex -> 1 + its number */
    json_t *names;
};

static json_t *vertex_words(const struct waits *waits, uint32_t vertex)
{
    struct str name = {0};
    if (vertex_kind_of(&waits->vertices, vertex) == VERTEX_THREAD) {
        const struct kernel_task *task = &waits->vertices.side->tasks[vertex];
        str_printf(&name, "%s (%u)", task->name[0] ? task->name : "no name", task->tid);
    } else {
        waits_group_name(waits, waits->graph.group_of[vertex], &name);
    }
    json_t *text = json_text(name.data);
    str_release(&name);
    return text;
}

static uint64_t number_of(struct pair_writing *w, uint32_t vertex)
{
    uint64_t *known = hash_map_put(&w->number_of, vertex);
    if (!*known) {
        json_push(w->names, vertex_words(w->waits, vertex));
        *known = json_array_size(w->names);
    }
    return *known - 1;
}

static json_t *json_lane(struct pair_writing *w, uint32_t vertex, time_ns from, time_ns until)
{
    struct thread_life life;
    json_t *numbers = json_array();
    time_ns last = from;
    thread_life_find(&life, &w->waits->vertices, vertex, from, until);
    for (size_t i = 0; i < life.count; i++) {
        const struct thread_stretch *one = &life.items[i];
        uint64_t what = one->state == THREAD_RUNS    ? STRETCH_RUNS
                        : one->state == THREAD_WANTS ? STRETCH_WANTS
                                                     : STRETCH_WAITS + number_of(w, one->whom);
        json_push(numbers, json_integer(one->from - last));
        json_push(numbers, json_integer(one->until - one->from));
        json_push(numbers, json_count(what));
        last = one->until;
    }
    thread_life_release(&life);
    return numbers;
}

static json_t *json_window(struct pair_writing *w, const struct pair_windows *windows, int kind)
{
    static const char *const names[] = {[PAIR_DENSEST] = "as much as can be",
                                        [PAIR_TYPICAL] = "typical",
                                        [PAIR_LONGEST] = "the longest one"};
    json_t *object = json_object(), *lanes = json_array();
    time_ns from = windows->from[kind], until = windows->until[kind];
    json_push(lanes, json_lane(w, windows->who, from, until));
    json_push(lanes, json_lane(w, windows->whom, from, until));
    json_set(object, "name", json_text(names[kind]));
    json_set(object, "at", json_integer(from - w->waits->list.from));
    json_set(object, "ns", json_integer(until - from));
    json_set(object, "waited", json_integer(windows->waited[kind]));
    json_set(object, "lanes", lanes);
    return object;
}

static json_t *json_pair(struct pair_writing *w, uint32_t edge)
{
    struct pair_windows windows;
    if (!pair_windows_find(&windows, &w->waits->graph, edge, &w->waits->cascade, &w->waits->list))
        return NULL;
    json_t *object = json_object(), *shown = json_array();
    json_set(object, "who", json_count(number_of(w, windows.who)));
    json_set(object, "whom", json_count(number_of(w, windows.whom)));
    for (int k = 0; k < PAIR_WINDOWS; k++)
        json_push(shown, json_window(w, &windows, k));
    json_set(object, "windows", shown);
    return object;
}

static void add_pair(struct pair_writing *w, uint32_t edge, json_t *into)
{
    struct str key = {0};
    json_t *pair = json_pair(w, edge);
    str_printf(&key, "%u", edge);
    if (pair)
        json_set(into, key.data, pair);
    str_release(&key);
}

void html_waits_pairs(const struct waits_page *page, struct str *out)
{
    const struct waits *waits = page->waits;
    struct pair_writing w = {.waits = waits, .names = json_array()};
    json_t *object = json_object(), *pairs = json_object();
    for (int knot = 1; knot >= 0; knot--)
        for (uint32_t e = 0; e < waits->graph.edge_count; e++)
            if (waits->counts[e] && json_object_size(pairs) < MOST_PAIRS &&
                waits_edge_in_knot(waits, e) == (bool)knot)
                add_pair(&w, e, pairs);
    json_set(object, "names", w.names);
    json_set(object, "edges", pairs);
    str_append(out, "<script type=\"application/json\" id=\"pairs\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    hash_map_release(&w.number_of);
}
