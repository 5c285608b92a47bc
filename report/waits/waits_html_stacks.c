/* Where threads of an edge wait and are let go on, and what those of a group run, for the script. */
#include <math.h>

#include "base/number.h"
#include "report/kit/html_parts.h"
#include "report/kit/json_parts.h"
#include "report/waits/waits_html_parts.h"
#include "report/waits/waits_report.h"

/* Of each edge's waits, wakings, and of each group; in all, that the page stays small. */
enum { MOST_STACKS = 8, MOST_FRAMES = 40, MOST_ALL_STACKS = 600, MOST_LOCKS = 4 };

struct writing {
    const struct waits *waits;
    struct intern names;
    json_t *kernel; /* by name: it is the kernel's */
    uint32_t written;
};

static json_t *json_frame(struct writing *w, const struct sampled_frame *frame)
{
    size_t before = w->names.count;
    uint32_t number = intern_add(&w->names, frame->name);
    if (w->names.count > before)
        json_push(w->kernel, json_boolean(frame->kind == FRAME_KERNEL));
    return json_count(number);
}

static json_t *json_stack(struct writing *w, const struct stack_sum *sum, double whole, bool waker)
{
    json_t *object = json_object(), *frames = json_array();
    struct str told = {0};
    double part = sum->time_ns / whole, sd = sqrt(sum->variance) / whole;
    str_printf(&told, "%s", number_percent(part).text);
    if (sd > 0)
        str_printf(&told, " \u00b1 %s", number_points(1.96 * sd).text);
    for (uint32_t f = 0; f < sum->frame_count && f < MOST_FRAMES; f++)
        json_push(frames, json_frame(w, &sum->frames[f]));
    json_set(object, "part", json_number(part));
    json_set(object, "told", json_text(told.data));
    json_set(object, "ns", json_text(number_ns(sum->time_ns, true).text));
    json_set(object, "sampled", json_count(sum->sampled));
    json_set(object, "waker", json_boolean(waker));
    json_set(object, "frames", frames);
    str_release(&told);
    return object;
}

/* As parts of `whole` ns. */
static void push_stacks(struct writing *w, json_t *list, const struct stack_sum *sums, size_t count,
                        bool waker, double whole)
{
    for (size_t i = 0; i < count && i < MOST_STACKS && whole > 0 && w->written < MOST_ALL_STACKS;
         i++) {
        json_push(list, json_stack(w, &sums[i], whole, waker));
        w->written++;
    }
}

static void set_numbered(json_t *object, uint32_t number, json_t *list)
{
    struct str key = {0};
    str_printf(&key, "%u", number);
    json_set(object, key.data, list);
    str_release(&key);
}

static json_t *edge_stacks(struct writing *w)
{
    json_t *edges = json_object();
    for (uint32_t e = 0; e < w->waits->graph.edge_count; e++) {
        size_t waits, wakings;
        const struct stack_sums *sums = &w->waits->stacks.sums;
        const struct stack_sum *waiting =
            stack_sums_of(sums, edge_stack_key(e, STACK_OF_WAIT), &waits);
        const struct stack_sum *waking =
            stack_sums_of(sums, edge_stack_key(e, STACK_OF_WAKING), &wakings);
        if (!waits && !wakings)
            continue;
        json_t *list = json_array();
        double whole = (double)cascade_sum(w->waits->graph.edges[e].raw);
        push_stacks(w, list, waiting, waits, false, whole);
        push_stacks(w, list, waking, wakings, true, whole);
        set_numbered(edges, e, list);
    }
    return edges;
}

static json_t *group_stacks(struct writing *w)
{
    json_t *groups = json_object();
    for (uint32_t g = 0; g < w->waits->graph.group_count; g++) {
        size_t count;
        const struct stack_sum *sums = stack_sums_of(&w->waits->run_stacks.sums, g, &count);
        if (!count)
            continue;
        json_t *list = json_array();
        double whole = 0;
        for (size_t i = 0; i < count; i++)
            whole += sums[i].time_ns;
        push_stacks(w, list, sums, count, false, whole);
        set_numbered(groups, g, list);
    }
    return groups;
}

static json_t *locks_of(const struct waits *waits, size_t *next, uint32_t edge)
{
    json_t *list = json_array();
    for (; *next < waits->stacks.lock_count && waits->stacks.locks[*next].edge == edge; ++*next) {
        const struct edge_lock *lock = &waits->stacks.locks[*next];
        if (json_array_size(list) >= MOST_LOCKS)
            continue;
        struct str text = {0};
        waits_lock_told(waits, lock, &text);
        json_push(list, json_text(text.data));
        str_release(&text);
    }
    return list;
}

static json_t *edge_locks(const struct waits *waits)
{
    json_t *edges = json_object();
    for (size_t next = 0; next < waits->stacks.lock_count;) {
        uint32_t edge = waits->stacks.locks[next].edge;
        set_numbered(edges, edge, locks_of(waits, &next, edge));
    }
    return edges;
}

void html_waits_stacks(const struct waits_page *page, struct str *out)
{
    struct writing w = {.waits = page->waits, .kernel = json_array()};
    json_t *object = json_object(), *texts = json_array();
    json_set(object, "sampled", json_boolean(page->waits->names != NULL));
    json_set(object, "edges", edge_stacks(&w));
    json_set(object, "groups", group_stacks(&w));
    json_set(object, "locks", edge_locks(page->waits));
    for (size_t i = 0; i < w.names.count; i++)
        json_push(texts, json_text(w.names.text[i]));
    json_set(object, "frames", texts);
    json_set(object, "kernel", w.kernel);
    str_append(out, "<script type=\"application/json\" id=\"stacks\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    intern_release(&w.names);
}
