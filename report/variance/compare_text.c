#include "report/variance/compare_report.h"

#include <math.h>

#include "base/utf8.h"
#include "report/kit/terminal.h"
#include "report/kit/text_parts.h"
#include "report/variance/compare_words.h"

enum { METRIC = 9, VALUE = 12, CHANGE = 10, RANGE = 20, VERDICT = 13, COMMAND_COLUMNS = 200 };
enum { MOST_ROOTS = 6 };
#define LEAST_ROOT 0.02 /* of either latency */

/* ---- the tables ---- */

static bool with_values(const struct terminal *terminal)
{
    return terminal->style.columns >= 94;
}

static bool with_range(const struct terminal *terminal)
{
    return terminal->style.columns >= 72;
}

static size_t first_columns(const struct terminal *terminal)
{
    size_t used = 2 + METRIC + CHANGE + 2 + VERDICT;
    used += with_values(terminal) ? 2 * VALUE : 0;
    used += with_range(terminal) ? RANGE : 0;
    return terminal->style.columns - used;
}

static void draw_titles(struct terminal *terminal, const char *title)
{
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, title, first_columns(terminal) + METRIC);
    terminal_paint(terminal, PAINT_PLAIN);
    if (with_values(terminal)) {
        terminal_right(terminal, "A", VALUE);
        terminal_right(terminal, "B", VALUE);
    }
    terminal_right(terminal, "change", CHANGE);
    if (with_range(terminal))
        terminal_right(terminal, "95 % interval", RANGE);
    terminal_end_line(terminal);
}

static enum paint verdict_paint(enum verdict verdict)
{
    static const enum paint paints[] = {PAINT_PLAIN, PAINT_COOL, PAINT_PLAIN, PAINT_FAINT,
                                        PAINT_WARM};
    return paints[verdict];
}

static void draw_change(struct terminal *terminal, const char *name, const struct change *change,
                        enum metric metric)
{
    bool utf8 = terminal->style.utf8;
    struct str range = {0};
    const char *verdict = verdict_name(change->verdict);
    change_write_range(change, utf8, &range);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, first_columns(terminal) - 1);
    terminal_text(terminal, " ");
    terminal_left(terminal, metric_name(metric), METRIC);
    if (with_values(terminal)) {
        terminal_right(terminal, change_value(change->a, metric, utf8).text, VALUE);
        terminal_right(terminal, change_value(change->b, metric, utf8).text, VALUE);
    }
    terminal_right(terminal, change_number(change->change).text, CHANGE);
    if (with_range(terminal))
        terminal_right(terminal, range.data, RANGE);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, verdict_paint(change->verdict));
    terminal_text(terminal, verdict ? verdict : "");
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&range);
}

static void draw_blind(struct terminal *terminal, const struct comparison_row *row,
                       const char *name)
{
    struct str text = {0};
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, first_columns(terminal) - 1);
    str_append(&text, " not compared: ");
    row_write_blind(row, &text);
    size_t room = terminal->style.columns - 2 - (first_columns(terminal) - 1);
    struct str fitted = {0};
    utf8_fit(&fitted, text.data, room, terminal->style.utf8);
    terminal_text(terminal, fitted.data);
    terminal_end_line(terminal);
    str_release(&fitted);
    str_release(&text);
}

static void draw_row(struct terminal *terminal, const struct comparison_row *row)
{
    struct str name = {0};
    row_write_name(row, first_columns(terminal) - 1, terminal->style.utf8, &name);
    const char *first = str_text(&name);
    if (row->blind[0] || row->blind[1])
        draw_blind(terminal, row, first);
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        if (!row->changes[m].applies)
            continue;
        draw_change(terminal, first, &row->changes[m], m);
        first = "";
    }
    str_release(&name);
}

/* ---- who does it ---- */

static const char *moved(const struct change *change)
{
    if (!change->verdict || !change_is_told(change))
        return "";
    return change->change > 0 ? "grew" : "shrank";
}

static void draw_root_change(const struct comparison *comparison, struct terminal *terminal,
                             const char *name, const struct root_change *line,
                             enum difference_way way)
{
    bool utf8 = terminal->style.utf8;
    const struct change *change = &line->changes[way];
    struct str range = {0};
    change_write_range(change, utf8, &range);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, first_columns(terminal) - 1);
    terminal_text(terminal, " ");
    terminal_left(terminal, way == DIFFERENCE_MEAN ? "mean" : "variance", METRIC);
    for (int s = 0; s < 2 && with_values(terminal); s++)
        terminal_right(terminal, root_value(comparison, line, way, s, utf8).text, VALUE);
    terminal_right(terminal, change_number(change->change).text, CHANGE);
    if (with_range(terminal))
        terminal_right(terminal, str_text(&range), RANGE);
    terminal_text(terminal, "  ");
    terminal_text(terminal, moved(change));
    terminal_end_line(terminal);
    str_release(&range);
}

static bool root_matters(const struct root_change *line)
{
    double most = 0;
    for (int way = 0; way < DIFFERENCE_WAYS; way++)
        for (int s = 0; s < 2; s++)
            most = fmax(most, fabs(line->part[way][s]));
    return most >= LEAST_ROOT && line->changes[DIFFERENCE_MEAN].applies;
}

static void draw_roots(const struct comparison *comparison, struct terminal *terminal)
{
    const struct root_difference *roots = &comparison->roots;
    unsigned drawn = 0;
    for (uint32_t i = 0; i < roots->count && drawn < MOST_ROOTS; i++) {
        const struct root_change *line = &roots->lines[i];
        if (!root_matters(line))
            continue;
        if (!drawn++)
            draw_titles(terminal, "WHO DOES IT (of A's latency)");
        draw_root_change(comparison, terminal, line->name, line, DIFFERENCE_MEAN);
        draw_root_change(comparison, terminal, "", line, DIFFERENCE_VARIANCE);
    }
    if (drawn)
        terminal_end_line(terminal);
}

static void draw_tables(const struct comparison *comparison, struct terminal *terminal)
{
    draw_titles(terminal, "LATENCY");
    draw_row(terminal, &comparison->rows[0]);
    terminal_end_line(terminal);
    draw_roots(comparison, terminal);
    if (comparison->row_count < 2)
        return;
    draw_titles(terminal, "FACTORS (of A's latency)");
    for (uint32_t r = 1; r < comparison->row_count; r++)
        draw_row(terminal, &comparison->rows[r]);
    terminal_end_line(terminal);
}

/* ---- in words ---- */

static void draw_gap(const struct comparison_row *row, enum metric metric,
                     struct terminal *terminal)
{
    struct str line = {0};
    row_write_name(row, 40, terminal->style.utf8, &line);
    str_printf(&line, ", %s, has no interval: ", metric_name(metric));
    change_write_gap(&row->changes[metric], metric, &line);
    str_append_char(&line, '.');
    terminal_wrap(terminal, "  - ", str_text(&line));
    str_release(&line);
}

/* Of the factors' gaps the first says it all. */
static void draw_gaps(const struct comparison *comparison, struct terminal *terminal)
{
    unsigned drawn = 0, of_latency = 0;
    for (uint32_t r = 0; r < comparison->row_count && drawn == of_latency; r++)
        for (enum metric m = 0; m < METRIC_COUNT; m++) {
            const struct comparison_row *row = &comparison->rows[r];
            if (!row->changes[m].applies || row->changes[m].gap == GAP_NONE ||
                (r && comparison->rows[0].changes[m].gap != GAP_NONE))
                continue;
            draw_gap(row, m, terminal);
            drawn++;
            of_latency += r == 0;
        }
    if (drawn)
        terminal_end_line(terminal);
}

static void draw_subject(const struct compare_report *report, struct terminal *terminal)
{
    const struct comparison *comparison = report->comparison;
    const char *dot = terminal_either(terminal, " \u00b7 ", ", ");
    struct str line = {0};
    for (int s = 0; s < 2; s++) {
        str_printf(&line, "%s: ", s ? "B" : "A");
        if (report->commands[s]) {
            utf8_fit(&line, report->commands[s], COMMAND_COLUMNS, terminal->style.utf8);
            str_append(&line, dot);
        }
        str_printf(&line, "%s%s%s interval%s", report->names[s], dot,
                   number_count(comparison->intervals[s]).text,
                   number_plural(comparison->intervals[s]));
        str_printf(&line, "%s%s run%s", dot, number_count(comparison->runs[s]).text,
                   number_plural(comparison->runs[s]));
        terminal_wrap(terminal, "", line.data);
        str_clear(&line);
    }
    terminal_end_line(terminal);
    str_release(&line);
}

static void draw_headline(const struct comparison *comparison, struct terminal *terminal)
{
    struct str text = {0};
    comparison_write_headline(comparison, terminal->style.utf8, &text);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "  ", str_text(&text));
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

static void draw_trust(const struct compare_report *report, struct terminal *terminal)
{
    const struct comparison *comparison = report->comparison;
    struct str line = {0};
    comparison_write_rule(comparison, &line);
    str_printf(&line,
               " The intervals beside a verdict hold all at once with 95 %%, others each for "
               "itself. They come from %u block%s: %s.",
               comparison->blocks, number_plural(comparison->blocks),
               comparison->of_runs ? "whole runs" : "stretches of one run's intervals");
    text_trust(line.data, report->warnings, report->warning_count, terminal);
    str_release(&line);
}

void compare_write_text(const struct compare_report *report, const struct text_style *style,
                        FILE *out)
{
    struct terminal terminal;
    terminal_init(&terminal, style, out);
    draw_subject(report, &terminal);
    draw_headline(report->comparison, &terminal);
    draw_tables(report->comparison, &terminal);
    draw_gaps(report->comparison, &terminal);
    for (uint32_t i = 0; i < report->part_count; i++)
        if (report->parts[i].family->compare_text)
            report->parts[i].family->compare_text(report->parts[i].results[0],
                                                  report->parts[i].results[1], &terminal);
    draw_trust(report, &terminal);
    terminal_release(&terminal);
}
