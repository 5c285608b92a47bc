#include "report/kit/report.h"

#include "base/number.h"
#include "report/kit/html_parts.h"
#include "report/kit/interval_words.h"

static void write_head(const struct report *report, struct str *out)
{
    const char *const styles[] = {report_css, drawings_css, NULL};
    html_page_begin(out, report->target ? report->target : "report", styles);
}

static void write_headline(const struct report *report, struct str *out)
{
    const struct interval_summary *intervals = report->intervals;
    struct str text = {0};
    report_write_headline(report, 100, true, &text);
    str_append(out, "<header><p class=\"sub\">vprofiler \u00b7 ");
    html_short(out, report->target ? report->target : "the target", 120);
    if (intervals)
        str_printf(out, " \u00b7 %s interval%s", number_count(intervals->count).text,
                   number_plural(intervals->count));
    if (intervals && intervals->incomplete)
        str_printf(out, ", %s incomplete", number_count(intervals->incomplete).text);
    str_append(out, "</p><h1>");
    html_tied(out, str_text(&text));
    str_append(out, "</h1>\n");
    if (report->warning_count || report->intervals)
        html_doubts(report->warnings, report->warning_count, out);
    str_append(out, "</header>\n");
    str_release(&text);
}

static void write_key(struct str *out, const char *label, const char *value, const char *more)
{
    str_append(out, "<div><dt>");
    html_escape(out, label);
    str_append(out, "</dt><dd>");
    html_escape(out, value);
    str_append(out, " <small>");
    html_escape(out, more);
    str_append(out, "</small></dd></div>\n");
}

static void write_latency_keys(const struct interval_summary *intervals, struct str *out)
{
    char times_p50[64] = "", of_mean[64] = "";
    if (intervals->p50_ns > 0)
        snprintf(times_p50, sizeof times_p50, "%s p50",
                 number_ratio(intervals->p99_ns / intervals->p50_ns).text);
    if (intervals->mean_ns > 0)
        snprintf(of_mean, sizeof of_mean, "%.2fx the mean",
                 intervals->stddev_ns / intervals->mean_ns);
    write_key(out, "p50", number_ns(intervals->p50_ns, true).text, "");
    write_key(out, "p95", number_ns(intervals->p95_ns, true).text, "");
    write_key(out, "p99", number_ns(intervals->p99_ns, true).text, times_p50);
    if (intervals->count >= LEAST_FOR_P999)
        write_key(out, "p99.9", number_ns(intervals->p999_ns, true).text, "");
    write_key(out, "max", number_ns(intervals->max_ns, true).text, "");
    write_key(out, "mean", number_ns(intervals->mean_ns, true).text, "");
    write_key(out, "\u03c3", number_ns(intervals->stddev_ns, true).text, of_mean);
}

static void write_keys(const struct report *report, struct str *out)
{
    char of_known[64];
    struct str rounds = {0};
    str_append(out, "<dl class=\"keys\">\n");
    if (report->intervals && report->intervals->count > 0) {
        write_latency_keys(report->intervals, out);
        write_key(out, "time explained", number_percent(report->coverage).text, "");
    }
    snprintf(of_known, sizeof of_known, "of %s", number_count(report->functions_known).text);
    rounds_write(report, &rounds);
    if (report->inferred)
        write_key(out, "functions seen", number_count(report->functions_known).text, "");
    else
        write_key(out, "functions timed", number_count(report->functions_timed).text, of_known);
    write_key(out, "measured in", rounds.data, "");
    str_release(&rounds);
    if (report->lost_records)
        write_key(out, "lost records", number_count(report->lost_records).text, "");
    str_append(out, "</dl>\n");
}

static void write_notes(const struct report *report, struct str *out)
{
    for (uint32_t i = 0; i < report->note_count; i++) {
        str_append(out, "<p class=\"note\">");
        html_tied(out, report->notes[i].message);
        str_append(out, "</p>\n");
    }
}

static void write_origin(const struct report *report, struct str *out)
{
    const struct report_origin *origin = &report->origin;
    const struct {
        const char *label, *value;
    } rows[] = {{"command", origin->command},   {"commit", origin->commit},
                {"compiler", origin->compiler}, {"host", origin->host},
                {"clock", origin->clock},       {"date", origin->date}};
    str_append(out, "<section><h2>To repeat this</h2><dl class=\"origin\">\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        html_origin_row(rows[i].label, rows[i].value, out);
    str_printf(out,
               "</dl><p class=\"note\">report.json beside this page holds every number, "
               "unrounded (%s).</p></section>\n",
               report_schema(report));
}

enum place { PLACE_FIRST, PLACE_MIDDLE, PLACE_LAST };

static void write_parts(const struct report *report, enum place place, struct str *out)
{
    for (uint32_t i = 0; i < report->part_count; i++) {
        const struct report_family *family = report->parts[i].family;
        void (*write)(const struct report *, const void *, struct str *) =
            place == PLACE_FIRST    ? family->html_first
            : place == PLACE_MIDDLE ? family->html
                                    : family->html_tables;
        if (write)
            write(report, report->parts[i].result, out);
    }
}

void report_write_html(const struct report *report, struct str *out)
{
    const char *const scripts[] = {report_js, choice_js, NULL};
    write_head(report, out);
    write_headline(report, out);
    write_parts(report, PLACE_FIRST, out);
    write_keys(report, out);
    html_timelines(report, out);
    if (report->intervals)
        html_histogram(report, out);
    write_parts(report, PLACE_MIDDLE, out);
    if (report->intervals) {
        html_types(report, out);
        html_values(report, out);
    }
    html_paper_doubts(report->warnings, report->warning_count, out);
    write_notes(report, out);
    write_origin(report, out);
    write_parts(report, PLACE_LAST, out);
    html_page_end(out, scripts);
}
