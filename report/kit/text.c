#include "base/utf8.h"
#include "report/kit/report.h"

#include "base/number.h"
#include "report/kit/interval_words.h"
#include "report/kit/terminal.h"
#include "report/kit/text_parts.h"

static void write_intervals(const struct interval_summary *intervals, const char *dot,
                            struct str *line)
{
    if (!intervals)
        return;
    str_printf(line, "%s interval%s", number_count(intervals->count).text,
               number_plural(intervals->count));
    if (intervals->incomplete)
        str_printf(line, " (and %s incomplete)", number_count(intervals->incomplete).text);
    str_append(line, dot);
}

static void write_functions(const struct report *report, struct str *line)
{
    if (report->inferred) {
        str_printf(line, "%s function%s seen", number_count(report->functions_known).text,
                   number_plural(report->functions_known));
        return;
    }
    str_printf(line, "%s of ", number_count(report->functions_timed).text);
    str_printf(line, "%s function%s timed", number_count(report->functions_known).text,
               number_plural(report->functions_known));
}

static void draw_subject(const struct report *report, struct terminal *terminal)
{
    const char *dot = terminal_either(terminal, " \u00b7 ", ", ");
    struct str line = {0};
    write_intervals(report->intervals, dot, &line);
    rounds_write(report, &line);
    str_append(&line, dot);
    write_functions(report, &line);
    struct str subject = {0};
    str_printf(&subject, "%s%s%s", report->target ? report->target : "the target", dot, line.data);
    terminal_wrap(terminal, "", subject.data);
    terminal_end_line(terminal);
    str_release(&line);
    str_release(&subject);
}

static void draw_headline(const struct report *report, struct terminal *terminal)
{
    struct str text = {0};
    report_write_headline(report, 48, terminal->style.utf8, &text);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "  ", str_text(&text));
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

static void draw_fact(struct terminal *terminal, const char *label, const char *value,
                      const char *more)
{
    size_t used = utf8_columns(str_text(&terminal->line));
    size_t wide = utf8_columns(label) + 1 + utf8_columns(value) + utf8_columns(more);
    if (used && used + 3 + wide > terminal->style.columns) {
        terminal_end_line(terminal);
        used = 0;
    }
    terminal_text(terminal, used ? "   " : "  ");
    terminal_text(terminal, label);
    terminal_text(terminal, " ");
    terminal_text(terminal, value);
    terminal_text(terminal, more);
}

static void draw_latency(const struct report *report, struct terminal *terminal)
{
    const struct interval_summary *intervals = report->intervals;
    bool utf8 = terminal->style.utf8;
    char times_p50[64] = "";
    if (intervals->count == 0)
        return;
    if (intervals->p50_ns > 0)
        snprintf(times_p50, sizeof times_p50, " (%s p50)",
                 number_ratio(intervals->p99_ns / intervals->p50_ns).text);
    draw_fact(terminal, "p50", number_ns(intervals->p50_ns, utf8).text, "");
    draw_fact(terminal, "p95", number_ns(intervals->p95_ns, utf8).text, "");
    draw_fact(terminal, "p99", number_ns(intervals->p99_ns, utf8).text, times_p50);
    if (intervals->count >= LEAST_FOR_P999)
        draw_fact(terminal, "p99.9", number_ns(intervals->p999_ns, utf8).text, "");
    draw_fact(terminal, "max", number_ns(intervals->max_ns, utf8).text, "");
    draw_fact(terminal, "mean", number_ns(intervals->mean_ns, utf8).text, "");
    draw_fact(terminal, terminal_either(terminal, "\u03c3", "sigma"),
              number_ns(intervals->stddev_ns, utf8).text, "");
    terminal_end_line(terminal);
    terminal_end_line(terminal);
}

void text_trust(const char *summary, const struct report_warning *warnings, uint32_t count,
                struct terminal *terminal)
{
    struct str line = {0};
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_text(terminal, "CAN IT BE TRUSTED?");
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", summary);
    for (uint32_t i = 0; i < count; i++) {
        str_clear(&line);
        str_printf(&line, "%s: %s", warnings[i].code, warnings[i].message);
        terminal_wrap(terminal, "  ! ", line.data);
    }
    str_release(&line);
}

static void draw_trust(const struct report *report, struct terminal *terminal)
{
    struct str line = {0};
    if (report->intervals && report->intervals->count > 0)
        str_printf(&line, "%s of the time is explained; ", number_percent(report->coverage).text);
    str_printf(&line, "%s record%s lost; %s", number_count(report->lost_records).text,
               number_plural(report->lost_records),
               report->warning_count ? "warnings:" : "no warnings.");
    text_trust(line.data, report->warnings, report->warning_count, terminal);
    for (uint32_t i = 0; i < report->note_count; i++) {
        str_clear(&line);
        str_printf(&line, "Note: %s", report->notes[i].message);
        terminal_wrap(terminal, "  ", line.data);
    }
    str_release(&line);
}

static void draw_parts(const struct report *report, struct terminal *terminal)
{
    for (uint32_t i = 0; i < report->part_count; i++)
        if (report->parts[i].family->text)
            report->parts[i].family->text(report, report->parts[i].result, terminal);
}

void report_write_text(const struct report *report, const struct text_style *style, FILE *out)
{
    struct terminal terminal;
    terminal_init(&terminal, style, out);
    draw_subject(report, &terminal);
    draw_headline(report, &terminal);
    if (report->intervals) {
        draw_latency(report, &terminal);
        text_histogram(report, &terminal);
    }
    draw_parts(report, &terminal);
    if (report->intervals) {
        text_types(report, &terminal);
        text_values(report, &terminal);
    }
    draw_trust(report, &terminal);
    terminal_release(&terminal);
}
