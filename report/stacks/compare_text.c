#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "report/kit/text_parts.h"
#include "report/stacks/compare_proof.h"
#include "report/stacks/compare_words.h"

enum {
    MARK = 2,
    TIME = 10,
    SURE = 11,
    MOST_TOLD = 24,
    MOST_OTHERS = 6, /* what did not surely change, largest change first */
    MOST_PATHS = 5,
    LEAST_FOR_SURE = 80 /* columns */
};

struct view {
    const struct stacks_compare *told;
    const struct stack_comparison *comparison;
    struct terminal *terminal;
    size_t place;
    bool with_sure;
};

static void draw_right(const struct view *view, const struct str *text, size_t columns)
{
    terminal_right(view->terminal, str_text(text), columns);
}

static void draw_difference(const struct view *view, double ns)
{
    struct str text = {0};
    compare_difference(ns, view->terminal->style.utf8, &text);
    draw_right(view, &text, TIME);
    str_release(&text);
}

/* Half of the 95 % interval. */
static void draw_sure(const struct view *view, const struct node_change *change)
{
    struct str text = {0};
    if (isfinite(change->ci95[0])) {
        str_append(&text, terminal_either(view->terminal, "\u00b1 ", "+-"));
        double half = (change->ci95[1] - change->ci95[0]) / 2;
        str_append(&text, number_ns(half, view->terminal->style.utf8).text);
    }
    draw_right(view, &text, SURE);
    str_release(&text);
}

static void draw_time(const struct view *view, double ns)
{
    bool none = ns <= 0;
    terminal_right(view->terminal, none ? "-" : number_ns(ns, view->terminal->style.utf8).text,
                   TIME);
}

/* The kernel's innermost function, if it is one, then who called it, the nearest first, as there is room for. */
static void draw_chain(const struct view *view, uint32_t node)
{
    const struct laid_node *nodes = view->comparison->laid.nodes;
    struct str text = {0}, fitted = {0};
    uint32_t from = stack_comparison_told_as(view->comparison, node);
    if (from != node) {
        compare_node_name(view->told, node, &text);
        str_append(&text, nodes[node].parent == from ? " < " : " .. ");
    }
    for (uint32_t n = from; nodes[n].depth > 0 && text.length < 4 * view->place;
         n = nodes[n].parent) {
        compare_node_name(view->told, n, &text);
        str_append(&text, nodes[n].depth > 1 ? " < " : "");
    }
    if (!text.length)
        str_append(&text, "all threads");
    size_t length = 0;
    const char *at = text.data;
    for (size_t columns = 0; *at && columns < view->place; columns++) {
        utf8_next(&at);
        length = (size_t)(at - text.data);
    }
    str_append_bytes(&fitted, text.data, length);
    terminal_left(view->terminal, fitted.data, view->place);
    str_release(&text);
    str_release(&fitted);
}

static void draw_change(const struct view *view, const struct node_change *change)
{
    struct terminal *terminal = view->terminal;
    int side = change->node[1] != CONTEXT_NONE;
    terminal_paint(terminal, !change->told        ? PAINT_FAINT
                             : change->change > 0 ? PAINT_WARM
                                                  : PAINT_COOL);
    terminal_left(terminal, change->told ? "! " : "", MARK);
    draw_difference(view, change->change);
    if (view->with_sure)
        draw_sure(view, change);
    terminal_paint(terminal, change->told ? PAINT_PLAIN : PAINT_FAINT);
    draw_time(view, change->own[0]);
    draw_time(view, change->own[1]);
    terminal_text(terminal, "  ");
    if (change->presence != NODE_IN_BOTH)
        terminal_text(terminal, change->presence == NODE_NEW ? "new: " : "gone: ");
    draw_chain(view, view->comparison->laid.of[side][change->node[side]]);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void draw_titles(const struct view *view)
{
    struct terminal *terminal = view->terminal;
    struct str unit = {0};
    str_printf(&unit, "own time by context, a %s", compare_unit_name(view->told));
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "", MARK);
    terminal_right(terminal, "change", TIME);
    if (view->with_sure)
        terminal_right(terminal, "95 %", SURE);
    terminal_right(terminal, compare_side(view->told, 0), TIME);
    terminal_right(terminal, compare_side(view->told, 1), TIME);
    terminal_text(terminal, "  ");
    terminal_left(terminal, unit.data, view->place);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&unit);
}

/* What surely changed comes first. */
static void draw_changes(const struct view *view)
{
    const struct tree_changes *changes = &view->comparison->changes;
    uint32_t most = changes->told < MOST_TOLD ? changes->told + MOST_OTHERS : MOST_TOLD;
    draw_titles(view);
    for (uint32_t i = 0; i < changes->count && i < most; i++)
        draw_change(view, &changes->items[i]);
    if (changes->told > MOST_TOLD) {
        struct str text = {0};
        str_printf(&text, "and %s more that surely changed; the page and the JSON have all",
                   number_count(changes->told - MOST_TOLD).text);
        terminal_wrap(view->terminal, "  ", text.data);
        str_release(&text);
    }
    terminal_end_line(view->terminal);
}

/* ---- the paper's order ---- */

static void tell_mended(const struct view *view)
{
    const struct stack_comparison *c = view->comparison;
    const struct path_side b = {c->sides[1].tree, c->own[1]};
    struct str text = {0};
    if (!view->told->mended)
        return;
    struct path_rank rank = path_changes_rank(&c->paths, &b, view->told->mended);
    if (rank.p_min)
        str_printf(&text, "%s: p_min %u, f_min %u.", view->told->mended, rank.p_min, rank.f_min);
    else
        str_printf(&text, "%s is on no path of B: it has no p_min.", view->told->mended);
    terminal_wrap(view->terminal, "  ", text.data);
    str_release(&text);
}

static void draw_paths(const struct view *view)
{
    const struct stack_comparison *c = view->comparison;
    terminal_paint(view->terminal, PAINT_FAINT);
    terminal_left(view->terminal, "", MARK);
    terminal_right(view->terminal, "costs more", TIME);
    terminal_text(view->terminal, "  whole paths, as IntroPerf ranks them");
    terminal_paint(view->terminal, PAINT_PLAIN);
    terminal_end_line(view->terminal);
    for (size_t i = 0; i < c->paths.count && i < MOST_PATHS; i++) {
        if (c->paths.items[i].cost <= 0)
            break;
        terminal_left(view->terminal, "", MARK);
        draw_difference(view, c->paths.items[i].cost);
        terminal_text(view->terminal, "  ");
        draw_chain(view, c->laid.of[1][c->paths.items[i].leaf]);
        terminal_end_line(view->terminal);
    }
    tell_mended(view);
    terminal_end_line(view->terminal);
}

static void layout(struct view *view)
{
    size_t columns = view->terminal->style.columns, used = MARK + 3 * TIME + 2;
    view->with_sure = columns >= LEAST_FOR_SURE;
    used += view->with_sure ? SURE : 0;
    view->place = columns - used;
}

void stacks_compare_text(const struct stacks_compare *told, struct terminal *terminal)
{
    struct view view = {.told = told, .comparison = told->comparison, .terminal = terminal};
    struct str text = {0};
    layout(&view);
    stacks_compare_headline(told, &text);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", text.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    draw_changes(&view);
    compare_proof_text(told, terminal);
    if (!told->slow)
        draw_paths(&view);
    str_clear(&text);
    stacks_compare_method(told, &text);
    terminal_wrap(terminal, "  ", text.data);
    if (told->doubts->count) {
        terminal_end_line(terminal);
        text_trust("Warnings:", told->doubts->items, told->doubts->count, terminal);
    }
    str_release(&text);
}
