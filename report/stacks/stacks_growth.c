#include "report/stacks/stacks_growth.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_report.h"
#include "stacks/work_wait.h"

enum { EXPONENT = 8, RANGE = 15, SHARE = 8, TIME = 10, MOST_ROWS = 20, MOST_CALLERS = 4 };
/* It has too little of the time at the largest size to be listed (chosen). */
#define LEAST_SHARE 0.002

static const char *const unit_names[] = {
    [CHANGE_A_REQUEST] = "request", [CHANGE_A_SECOND] = "second", [CHANGE_A_RUN] = "run"};

static const struct context_tree *tree_of(const struct stacks_growth *told)
{
    return &told->growth->runs.tree;
}

static const char *function_of(const struct stacks_growth *told, uint32_t node)
{
    const struct context_tree *tree = tree_of(told);
    return node == CONTEXT_ROOT ? "all threads" : tree->frames[tree->nodes[node].frame].function;
}

/* "look_up < serve < main": who called it, the nearest first; of the kernel's functions between only the innermost. */
static void append_chain(const struct stacks_growth *told, uint32_t node, uint32_t most,
                         struct str *out)
{
    const struct context_tree *tree = tree_of(told);
    uint32_t as = context_told_as(tree, node), callers = 0;
    if (as != node)
        str_printf(out, "%s%s", function_of(told, node),
                   tree->nodes[node].parent == as ? " < " : " .. ");
    str_append(out, function_of(told, as));
    for (uint32_t n = tree->nodes[as].parent; n != CONTEXT_ROOT && n != CONTEXT_NONE;
         n = tree->nodes[n].parent) {
        if (callers++ == most) {
            str_append(out, " < ...");
            return;
        }
        str_printf(out, " < %s", function_of(told, n));
    }
}

/* ---- the first sentence ---- */

static void append_law(const struct growth *growth, struct str *out)
{
    str_printf(out, "grows as size^%.2f (%.2f .. %.2f)", growth->exponent, growth->ci95[0],
               growth->ci95[1]);
}

void stacks_growth_headline(const struct stacks_growth *told, struct str *out)
{
    const struct context_growth *growth = told->growth;
    if (!growth->count || growth->items[0].rank <= 0) {
        str_append(out, "No context surely grows with size.");
    } else {
        const struct node_growth *first = &growth->items[0];
        append_chain(told, first->node, MOST_CALLERS, out);
        str_append(out, " ");
        append_law(&first->own, out);
        str_printf(out, ": twice the size takes %.1f times as long. At size %.6g it has ",
                   exp2(first->own.exponent), growth->largest);
        str_printf(out, "%s of the time.", number_percent_short(first->share).text);
    }
    if (growth->whole.below_fits) {
        str_append(out, " All together ");
        append_law(&growth->whole.below, out);
        str_append(out, ".");
    }
}

/* ---- the terminal ---- */

static void draw_exponent(const struct growth *growth, bool fits, struct terminal *terminal)
{
    struct str text = {0};
    if (fits)
        str_printf(&text, "%.2f", growth->exponent);
    terminal_right(terminal, fits ? text.data : "-", EXPONENT);
    str_release(&text);
}

static void draw_range(const struct growth *growth, struct terminal *terminal)
{
    struct str text = {0};
    str_printf(&text, "%.2f .. %.2f", growth->ci95[0], growth->ci95[1]);
    terminal_right(terminal, text.data, RANGE);
    str_release(&text);
}

static void draw_titles(struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_right(terminal, "exponent", EXPONENT);
    terminal_right(terminal, "95 %", RANGE);
    terminal_right(terminal, "share", SHARE);
    terminal_right(terminal, "with below", TIME + 2);
    terminal_right(terminal, "share", SHARE);
    terminal_text(terminal, "  own time by context");
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void draw_row(const struct stacks_growth *told, const struct node_growth *item,
                     struct terminal *terminal)
{
    size_t used = EXPONENT + RANGE + 2 * SHARE + TIME + 2 + 2;
    struct str chain = {0};
    append_chain(told, item->node, UINT32_MAX, &chain);
    terminal_paint(terminal, item->rank > 0 ? PAINT_PLAIN : PAINT_FAINT);
    draw_exponent(&item->own, true, terminal);
    draw_range(&item->own, terminal);
    terminal_right(terminal, number_percent_short(item->share).text, SHARE);
    terminal_left(terminal, "", TIME + 2 - EXPONENT);
    draw_exponent(&item->below, item->below_fits, terminal);
    terminal_right(terminal, number_percent_short(item->below_share).text, SHARE);
    terminal_text(terminal, "  ");
    terminal_left(terminal, chain.data, terminal->style.columns - used);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&chain);
}

static void draw_sizes(const struct stacks_growth *told, struct terminal *terminal)
{
    const struct context_growth *growth = told->growth;
    struct str text = {0};
    str_printf(&text, "Time of all threads, a %s", unit_names[growth->unit]);
    if (told->value)
        str_printf(&text, ", by its %s", told->value);
    str_append(&text, ": ");
    for (size_t r = 0; r < growth->size_count; r++) {
        double time = context_growth_time(growth, CONTEXT_ROOT, r, true);
        str_printf(&text, "%s%s at size %.6g (%s)", r ? ", " : "", number_ns(time, false).text,
                   growth->sizes[r], told->names[r]);
    }
    str_append(&text, ". Ranked by the lower end of the exponent times the share at the largest "
                      "size, behind the others those that wait for other threads of the run, or to "
                      "be given work. n log n is no power: it is fitted by about 1.1.");
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

void stacks_growth_text(const struct stacks_growth *told, struct terminal *terminal)
{
    struct str headline = {0};
    size_t rows = 0;
    stacks_growth_headline(told, &headline);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", headline.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    draw_titles(terminal);
    for (size_t i = 0; i < told->growth->count && rows < MOST_ROWS; i++)
        if (told->growth->items[i].share >= LEAST_SHARE) {
            draw_row(told, &told->growth->items[i], terminal);
            rows++;
        }
    draw_sizes(told, terminal);
    str_release(&headline);
}

/* ---- JSON ---- */

static json_t *json_fit(const struct growth *growth, bool fits)
{
    json_t *object = json_object();
    if (!fits) {
        json_decref(object);
        return json_null();
    }
    json_set(object, "exponent", json_number(growth->exponent));
    json_set(object, "error", json_number(growth->error));
    json_set(object, "ci95", json_interval95(growth->ci95));
    return object;
}

static json_t *json_path(const struct stacks_growth *told, uint32_t node)
{
    const struct context_tree *tree = tree_of(told);
    json_t *path = json_array();
    for (uint32_t n = node; n != CONTEXT_ROOT; n = tree->nodes[n].parent)
        json_array_insert_new(path, 0, json_text(function_of(told, n)));
    return path;
}

static json_t *json_times(const struct context_growth *growth, uint32_t node, bool below)
{
    json_t *times = json_array();
    for (size_t r = 0; r < growth->size_count; r++)
        json_push(times, json_number(context_growth_time(growth, node, r, below)));
    return times;
}

static json_t *json_item(const struct stacks_growth *told, const struct node_growth *item)
{
    const struct context_tree *tree = tree_of(told);
    const struct context_growth *growth = told->growth;
    json_t *object = json_object();
    bool root = item->node == CONTEXT_ROOT;
    const struct context_frame *frame = root ? NULL : &tree->frames[tree->nodes[item->node].frame];
    json_set(object, "path", json_path(told, item->node));
    json_set(object, "object", frame ? json_text(frame->object) : json_null());
    json_set(object, "layer", json_text(stacks_layer_name(frame ? frame->kind : FRAME_NONE)));
    json_set(object, "own", json_fit(&item->own, item->fits));
    json_set(object, "below", json_fit(&item->below, item->below_fits));
    json_set(object, "share", json_number(item->share));
    json_set(object, "below_share", json_number(item->below_share));
    json_set(object, "rank", json_number(item->rank));
    json_set(object, "waits", json_boolean(item->waits));
    json_set(object, "own_ns", json_times(growth, item->node, false));
    json_set(object, "below_ns", json_times(growth, item->node, true));
    return object;
}

json_t *stacks_growth_json(const struct stacks_growth *told)
{
    const struct context_growth *growth = told->growth;
    json_t *object = json_object(), *runs = json_array(), *contexts = json_array();
    struct str headline = {0};
    stacks_growth_headline(told, &headline);
    for (size_t r = 0; r < growth->size_count; r++) {
        json_t *run = json_object();
        json_set(run, "size", json_number(growth->sizes[r]));
        json_set(run, "result", json_text(told->names[r]));
        json_push(runs, run);
    }
    for (size_t i = 0; i < growth->count; i++)
        json_push(contexts, json_item(told, &growth->items[i]));
    json_set(object, "schema", json_text(STACKS_GROWTH_SCHEMA));
    json_set(object, "headline", json_text(headline.data));
    json_set(object, "unit", json_text(unit_names[growth->unit]));
    json_set(object, "value", told->value ? json_text(told->value) : json_null());
    json_set(object, "runs", runs);
    json_set(object, "whole", json_item(told, &growth->whole));
    json_set(object, "contexts", contexts);
    str_release(&headline);
    return object;
}
