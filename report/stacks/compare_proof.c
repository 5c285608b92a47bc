#include "report/stacks/compare_proof.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/html_parts.h"
#include "report/kit/json_parts.h"
#include "report/stacks/compare_words.h"

enum { MARGIN = 2, FROM_TO = 20, PART = 22, LEAST_NAME = 16, MOST_ROWS = 12 };

static bool is_any(const struct stacks_compare *told)
{
    return told->proven && told->proven->count;
}

static const char *unit_of(const struct stacks_compare *told)
{
    return told->proven->requests ? "request" : "second";
}

/* "10.0 -> 40.0" */
static void append_calls(const struct proof_change *item, const char *arrow, struct str *out)
{
    for (int s = 0; s < 2; s++) {
        double calls = item->calls[s];
        str_append(out, s ? arrow : "");
        if (calls >= 1000)
            str_append(out, number_count((uint64_t)(calls + 0.5)).text);
        else
            str_printf(out, "%.3g", calls);
    }
}

static void append_lengths(const struct proof_change *item, const char *arrow, bool utf8,
                           struct str *out)
{
    str_append(out, number_ns(item->length[0], utf8).text);
    str_printf(out, "%s%s", arrow, number_ns(item->length[1], utf8).text);
}

/* "+75 ms +-2.1 ms" */
static void append_part(double change, double half, bool utf8, struct str *out)
{
    compare_difference(change, utf8, out);
    if (isfinite(half))
        str_printf(out, " %s%s", utf8 ? "\u00b1" : "+-", number_ns(half, utf8).text);
}

/* What the table says in words. */
static void append_words(const struct stacks_compare *told, struct str *out)
{
    str_printf(out,
               "Times are of a %s, of all calls together, from call to return. By calls is what "
               "more or fewer of them take at the mean of both lengths, by length what longer or "
               "shorter ones do at the mean of both numbers: they add up to the change.",
               unit_of(told));
    for (size_t i = 0; i < told->proven->count; i++)
        if (!isfinite(told->proven->items[i].half.whole)) {
            str_printf(out,
                       " How sure that is takes %d runs a side that measured it (stacks --prove).",
                       PROOF_CHANGE_RUNS);
            return;
        }
}

/* ---- the terminal ---- */

static void put(struct terminal *terminal, struct str *text, size_t columns)
{
    terminal_right(terminal, str_text(text), columns);
    str_clear(text);
}

static void draw_row(const struct proof_change *item, size_t name, struct terminal *terminal)
{
    bool utf8 = terminal->style.utf8;
    const char *arrow = utf8 ? " \u2192 " : " -> ";
    struct str text = {0};
    terminal_left(terminal, "", MARGIN);
    terminal_left(terminal, item->name, name);
    append_calls(item, arrow, &text);
    put(terminal, &text, FROM_TO);
    append_lengths(item, arrow, utf8, &text);
    put(terminal, &text, FROM_TO + 2);
    append_part(item->change.first, item->half.first, utf8, &text);
    put(terminal, &text, PART);
    append_part(item->change.second, item->half.second, utf8, &text);
    put(terminal, &text, PART);
    terminal_end_line(terminal);
    str_release(&text);
}

void compare_proof_text(const struct stacks_compare *told, struct terminal *terminal)
{
    struct str text = {0};
    size_t used = MARGIN + 2 * FROM_TO + 2 + 2 * PART, columns = terminal->style.columns;
    size_t name = columns > used + LEAST_NAME ? columns - used : LEAST_NAME;
    if (!is_any(told))
        return;
    str_printf(&text, "calls a %s", unit_of(told));
    terminal_left(terminal, "", MARGIN);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "MEASURED", name);
    terminal_paint(terminal, PAINT_PLAIN);
    put(terminal, &text, FROM_TO);
    terminal_right(terminal, "mean length", FROM_TO + 2);
    terminal_right(terminal, "change by calls", PART);
    terminal_right(terminal, "by length", PART);
    terminal_end_line(terminal);
    for (size_t i = 0; i < told->proven->count && i < MOST_ROWS; i++)
        draw_row(&told->proven->items[i], name, terminal);
    append_words(told, &text);
    terminal_wrap(terminal, "  ", text.data);
    terminal_end_line(terminal);
    str_release(&text);
}

/* ---- JSON ---- */

static json_t *part_json(double change, double half)
{
    const double ci95[2] = {change - half, change + half};
    json_t *object = json_object();
    json_set(object, "change_ns", json_number(change));
    json_set(object, "ci95", json_interval95(ci95));
    return object;
}

static json_t *side_json(const struct proof_change *item, int side)
{
    json_t *object = json_object();
    json_set(object, "runs", json_count(item->sides[side]));
    json_set(object, "calls", json_number(item->calls[side]));
    json_set(object, "length_ns", json_number(item->length[side]));
    return object;
}

json_t *compare_proof_json(const struct stacks_compare *told)
{
    json_t *proven = json_array();
    for (size_t i = 0; is_any(told) && i < told->proven->count; i++) {
        const struct proof_change *item = &told->proven->items[i];
        json_t *object = json_object();
        json_set(object, "function", json_text(item->name));
        json_set(object, "unit", json_text(unit_of(told)));
        json_set(object, "a", side_json(item, 0));
        json_set(object, "b", side_json(item, 1));
        json_set(object, "whole", part_json(item->change.whole, item->half.whole));
        json_set(object, "by_calls", part_json(item->change.first, item->half.first));
        json_set(object, "by_length", part_json(item->change.second, item->half.second));
        json_push(proven, object);
    }
    return proven;
}

/* ---- the page ---- */

static void part_cell(double change, double half, struct str *out)
{
    struct str text = {0};
    append_part(change, half, true, &text);
    html_number_cell(out, str_text(&text), change);
    str_release(&text);
}

static void row(const struct proof_change *item, struct str *out)
{
    struct str calls = {0}, lengths = {0};
    append_calls(item, " \u2192 ", &calls);
    append_lengths(item, " \u2192 ", true, &lengths);
    str_append(out, "<tr><td class=\"name\">");
    html_short(out, item->name, 160);
    str_append(out, "</td>");
    html_number_cell(out, str_text(&calls), item->calls[1]);
    html_number_cell(out, str_text(&lengths), item->length[1]);
    part_cell(item->change.whole, item->half.whole, out);
    part_cell(item->change.first, item->half.first, out);
    part_cell(item->change.second, item->half.second, out);
    str_append(out, "</tr>\n");
    str_release(&calls);
    str_release(&lengths);
}

void compare_proof_html(const struct stacks_compare *told, struct str *out)
{
    struct str words = {0};
    if (!is_any(told))
        return;
    append_words(told, &words);
    str_append(out, "<section id=\"proven\"><h2>Measured call by call</h2><p class=\"sub\">");
    html_tied(out, str_text(&words));
    str_printf(out,
               "</p><div class=\"wide\"><table class=\"sortable\"><thead><tr><th>function</th><th "
               "class=\"n\">calls a %s</th><th class=\"n\">mean length</th><th "
               "class=\"n\">change</th><th class=\"n\">by calls</th><th class=\"n\">by "
               "length</th></tr></thead><tbody>\n",
               unit_of(told));
    for (size_t i = 0; i < told->proven->count; i++)
        row(&told->proven->items[i], out);
    str_append(out, "</tbody></table></div></section>\n");
    str_release(&words);
}
