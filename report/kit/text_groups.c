#include "report/kit/text_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/interval_words.h"

enum { COUNT = 14, TIME = 10, PERCENT = 8, RANGE = 15, MOST_VALUES = 8 };

static size_t name_columns(const struct terminal *terminal)
{
    return terminal->style.columns >= 84 ? 32 : 22;
}

static void draw_title(struct terminal *terminal, const char *title)
{
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, title, name_columns(terminal));
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_right(terminal, "intervals", COUNT);
}

static void draw_name(struct terminal *terminal, const char *name, uint64_t count)
{
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, name_columns(terminal));
    terminal_right(terminal, number_count(count).text, COUNT);
}

static void field(struct terminal *terminal, const char *text, size_t columns)
{
    terminal_text(terminal, " ");
    terminal_right(terminal, text, columns);
}

static void draw_types(const struct interval_summary *intervals, struct terminal *terminal)
{
    bool utf8 = terminal->style.utf8;
    draw_title(terminal, "TYPES");
    field(terminal, "mean", TIME);
    field(terminal, terminal_either(terminal, "\u03c3", "sigma"), TIME);
    terminal_end_line(terminal);
    for (uint32_t i = 0; i < intervals->type_count; i++) {
        const struct interval_type_summary *type = &intervals->types[i];
        draw_name(terminal, type->name && type->name[0] ? type->name : "(no type)", type->count);
        field(terminal, number_ns(type->mean_ns, utf8).text, TIME);
        field(terminal, number_ns(sqrt(type->variance_ns2), utf8).text, TIME);
        terminal_end_line(terminal);
    }
}

void text_types(const struct report *report, struct terminal *terminal)
{
    const struct interval_summary *intervals = report->intervals;
    struct str line = {0};
    if (intervals->type_count < 2)
        return;
    draw_types(intervals, terminal);
    if (intervals_vary(intervals)) {
        double whole = intervals->variance_ns2;
        str_printf(&line, "%s of the variance lies between the types, ",
                   number_percent(intervals->between_types_ns2 / whole).text);
        str_printf(&line, "%s within them.",
                   number_percent(intervals->within_types_ns2 / whole).text);
        terminal_wrap(terminal, "  ", line.data);
    }
    terminal_end_line(terminal);
    str_release(&line);
}

static void draw_value(struct terminal *terminal, const struct interval_value_summary *value)
{
    struct str range = {0};
    draw_name(terminal, value->name, value->count);
    field(terminal, number_percent(value->explained).text, PERCENT);
    str_printf(&range, "%s %s ", number_points(value->ci95[0]).text,
               terminal_either(terminal, "\u2026", ".."));
    str_append(&range, number_points(value->ci95[1]).text);
    if (terminal->style.columns >= 76)
        field(terminal, range.data, RANGE);
    field(terminal, number_ns(value->slope_ns, terminal->style.utf8).text, TIME);
    terminal_end_line(terminal);
    str_release(&range);
}

void text_values(const struct report *report, struct terminal *terminal)
{
    const struct interval_summary *intervals = report->intervals;
    struct str line = {0};
    if (intervals->work.value_count == 0 || !intervals_vary(intervals))
        return;
    draw_title(terminal, "SIZE OF THE WORK");
    field(terminal, "explains", PERCENT);
    if (terminal->style.columns >= 76)
        field(terminal, "95 % interval", RANGE);
    field(terminal, "one more", TIME);
    terminal_end_line(terminal);
    for (uint32_t i = 0; i < intervals->work.value_count && i < MOST_VALUES; i++)
        draw_value(terminal, &intervals->work.values[i]);
    str_printf(&line, "%s of the variance goes with the size of the work: more was asked for. ",
               number_percent(intervals->work.values_explained).text);
    str_printf(&line, "The other %s does not, and can be avoided.",
               number_percent(1 - intervals->work.values_explained).text);
    terminal_wrap(terminal, "  ", line.data);
    terminal_end_line(terminal);
    str_release(&line);
}
