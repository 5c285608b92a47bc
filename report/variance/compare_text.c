#include "base/utf8.h"
#include "report/variance/compare_report.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "report/kit/terminal.h"
#include "report/kit/text_parts.h"
#include "report/variance/factor_words.h"

enum { METRIC = 9, VALUE = 12, CHANGE = 10, RANGE = 20, VERDICT = 12 };
#define MOST_TIMES_MORE 100

/* ---- numbers ---- */

static struct number signed_percent(double change)
{
    struct number bare = number_percent(change), number;
    bool rose = change >= NUMBER_LEAST_PERCENT;
    snprintf(number.text, sizeof number.text, "%s%.40s", rose ? "+" : "", bare.text);
    return number;
}

static struct number signed_points(double change)
{
    struct number number = signed_percent(change);
    number.text[strcspn(number.text, " ")] = '\0';
    return number;
}

/* A variance is written as the square of what people know the size of: "(4.74 ms)^2". */
static struct number value_text(double value, enum metric metric, bool utf8)
{
    if (metric != METRIC_VARIANCE)
        return number_ns(value, utf8);
    struct number number;
    snprintf(number.text, sizeof number.text, "%s(%.24s)%s", value < 0 ? "-" : "",
             number_ns(sqrt(fabs(value)), utf8).text, utf8 ? "\u00b2" : "^2");
    return number;
}

static bool bounded(const double interval[2])
{
    return isfinite(interval[0]) && isfinite(interval[1]);
}

static void write_range(const double interval[2], bool utf8, struct str *out)
{
    if (!bounded(interval))
        str_append(out, "-");
    else
        str_printf(out, "%s %s %s", signed_points(interval[0]).text, utf8 ? "\u2026" : "..",
                   signed_points(interval[1]).text);
}

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
    return verdict == VERDICT_WORSE          ? PAINT_WARM
           : verdict == VERDICT_INCONCLUSIVE ? PAINT_FAINT
                                             : PAINT_PLAIN;
}

static void draw_change(struct terminal *terminal, const char *name, const struct change *change,
                        enum metric metric)
{
    bool utf8 = terminal->style.utf8;
    struct str range = {0};
    const char *verdict = verdict_name(change->verdict);
    write_range(change->verdict ? change->together : change->ci95, utf8, &range);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, first_columns(terminal) - 1);
    terminal_text(terminal, " ");
    terminal_left(terminal, metric_name(metric), METRIC);
    if (with_values(terminal)) {
        terminal_right(terminal, value_text(change->a, metric, utf8).text, VALUE);
        terminal_right(terminal, value_text(change->b, metric, utf8).text, VALUE);
    }
    terminal_right(terminal, signed_percent(change->change).text, CHANGE);
    if (with_range(terminal))
        terminal_right(terminal, range.data, RANGE);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, verdict_paint(change->verdict));
    terminal_text(terminal, verdict ? verdict : "");
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&range);
}

static void write_name(const struct comparison_row *row, size_t columns, bool utf8, struct str *out)
{
    struct factor factor = {.kind = row->kind, .names = {row->names[0], row->names[1]}};
    factor_write_name(&factor, columns, utf8, out);
}

static void draw_blind(struct terminal *terminal, const struct comparison_row *row,
                       const char *name)
{
    struct str text = {0};
    int side = row->blind[0] ? 0 : 1;
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, first_columns(terminal) - 1);
    str_printf(&text, " not compared: %s does not time %s", side ? "B" : "A", row->blind[side]);
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
    const char *first = "latency";
    if (row->names[0]) {
        write_name(row, first_columns(terminal) - 1, terminal->style.utf8, &name);
        first = str_text(&name);
    }
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

static void draw_tables(const struct comparison *comparison, struct terminal *terminal)
{
    draw_titles(terminal, "LATENCY");
    draw_row(terminal, &comparison->rows[0]);
    terminal_end_line(terminal);
    if (comparison->row_count < 2)
        return;
    draw_titles(terminal, "FACTORS (of A's latency)");
    for (uint32_t r = 1; r < comparison->row_count; r++)
        draw_row(terminal, &comparison->rows[r]);
    terminal_end_line(terminal);
}

/* ---- in words ---- */

static void draw_subject(const struct compare_report *report, struct terminal *terminal)
{
    const struct comparison *comparison = report->comparison;
    const char *dot = terminal_either(terminal, " \u00b7 ", ", ");
    struct str line = {0};
    for (int s = 0; s < 2; s++) {
        str_printf(&line, "%s: %s%s%s interval%s", s ? "B" : "A", report->names[s], dot,
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

/* Lists the latency's metrics of that verdict: "mean +6.1 % and p99 +11.2 %". */
static unsigned list_metrics(const struct comparison_row *row, enum verdict verdict, bool numbers,
                             struct str *out)
{
    unsigned count = 0, written = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        count += row->changes[m].verdict == verdict;
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        if (row->changes[m].verdict != verdict)
            continue;
        written++;
        const char *joint = written == 1 ? "" : written == count ? " and " : ", ";
        str_printf(out, "%s%s", joint, metric_name(m));
        if (numbers)
            str_printf(out, " %s", signed_percent(row->changes[m].change).text);
    }
    return count;
}

static double growth(const struct comparison_row *row, enum metric metric)
{
    const struct change *change = &row->changes[metric];
    return change->verdict == VERDICT_WORSE ? change->change : 0;
}

/* Finds the first factor by rank that grew about as much as the one that grew most, which may be
 * one that holds all others. */
static const struct comparison_row *find_where(const struct comparison *comparison,
                                               enum metric metric)
{
    double most = 0;
    for (uint32_t r = 1; r < comparison->row_count; r++)
        most = fmax(most, growth(&comparison->rows[r], metric));
    for (uint32_t r = 1; r < comparison->row_count && most > 0; r++)
        if (growth(&comparison->rows[r], metric) >= 0.9 * most)
            return &comparison->rows[r];
    return NULL;
}

/* The advice names the first metric that is worse in a factor too. */
static void append_where(const struct comparison *comparison, bool utf8, struct str *out)
{
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        const struct comparison_row *row = find_where(comparison, m);
        if (comparison->rows[0].changes[m].verdict != VERDICT_WORSE || !row)
            continue;
        struct str name = {0};
        write_name(row, 48, utf8, &name);
        str_printf(out, " Look at %s: its %s grew by %s of the latency's.", str_text(&name),
                   metric_name(m), number_percent(row->changes[m].change).text);
        str_release(&name);
        return;
    }
}

static double most_times_more(const struct comparison_row *row)
{
    double more = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        if (row->changes[m].verdict == VERDICT_INCONCLUSIVE)
            more = fmax(more, row->changes[m].more);
    return more;
}

/* Two digits are enough: the count is no more than an order of magnitude. */
static uint64_t rounded(double count)
{
    double step = pow(10, fmax(0, floor(log10(fmax(count, 1))) - 1));
    return (uint64_t)(ceil(count / step) * step);
}

static void append_advice(const struct comparison *comparison, struct str *out)
{
    const struct comparison_row *row = &comparison->rows[0];
    double more = most_times_more(row);
    uint64_t fewer = comparison->intervals[comparison->intervals[1] < comparison->intervals[0]];
    str_append(out, "Inconclusive: ");
    list_metrics(row, VERDICT_INCONCLUSIVE, false, out);
    if (more <= MOST_TIMES_MORE)
        str_printf(out, ". It takes about %s intervals of each side (%.2g times as many).",
                   number_count(rounded(more * (double)fewer)).text, more);
    else
        str_printf(out,
                   ". It takes over %d times as many intervals, runs that differ less, or a wider "
                   "--margin.",
                   MOST_TIMES_MORE);
}

static void draw_headline(const struct comparison *comparison, struct terminal *terminal)
{
    const struct comparison_row *latency = &comparison->rows[0];
    struct str text = {0};
    if (comparison->verdict == VERDICT_WORSE) {
        str_append(&text, "B is worse: ");
        list_metrics(latency, VERDICT_WORSE, true, &text);
        str_printf(&text, ", by more than the margin of %s.",
                   number_percent(comparison->margin).text);
        append_where(comparison, terminal->style.utf8, &text);
    } else if (comparison->verdict == VERDICT_NOT_WORSE) {
        str_printf(&text,
                   "B is not worse: mean, variance and p99 grew by less than the margin of %s.",
                   number_percent(comparison->margin).text);
    } else {
        append_advice(comparison, &text);
    }
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "  ", text.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

static void draw_trust(const struct compare_report *report, struct terminal *terminal)
{
    const struct comparison *comparison = report->comparison;
    struct str line = {0};
    str_printf(&line,
               "The intervals beside a verdict hold all at once with 95 %%, others each for "
               "itself. Worse is more than %s longer, of a variance %s. Intervals come from %u "
               "blocks: %s.",
               number_percent(comparison->margin).text,
               number_percent(metric_margin(METRIC_VARIANCE, comparison->margin)).text,
               comparison->blocks,
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
    for (uint32_t i = 0; i < report->part_count; i++)
        if (report->parts[i].family->compare_text)
            report->parts[i].family->compare_text(report->parts[i].results[0],
                                                  report->parts[i].results[1], &terminal);
    draw_trust(report, &terminal);
    terminal_release(&terminal);
}
