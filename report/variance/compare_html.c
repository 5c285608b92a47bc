#include "report/variance/compare_html.h"

#include <math.h>

static const char *side_name(int side)
{
    return side ? "B" : "A";
}

/* ---- who is compared ---- */

static void write_side(const struct compare_report *report, int side, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    str_printf(out, "<div class=\"side\"><dt><i class=\"dot %s\"></i>%s</dt><dd>", side ? "b" : "a",
               side_name(side));
    if (report->commands[side]) {
        str_append(out, "<code>");
        html_short(out, report->commands[side], 300);
        str_append(out, "</code> ");
    }
    str_append(out, "<span class=\"faint\">");
    html_short(out, report->names[side], 200);
    str_printf(out, " \u00b7 %s interval%s", number_count(comparison->intervals[side]).text,
               number_plural(comparison->intervals[side]));
    str_printf(out, " \u00b7 %s run%s</span></dd></div>\n",
               number_count(comparison->runs[side]).text, number_plural(comparison->runs[side]));
}

static void write_headline(const struct compare_report *report, struct str *out)
{
    struct str text = {0};
    comparison_write_headline(report->comparison, true, &text);
    str_printf(out, "<header><p class=\"sub\">vprofiler compare</p><h1 class=\"%s\">",
               verdict_key(report->comparison->verdict));
    html_tied(out, str_text(&text));
    str_append(out, "</h1><dl class=\"sides\">\n");
    for (int s = 0; s < 2; s++)
        write_side(report, s, out);
    str_append(out, "</dl></header>\n");
    str_release(&text);
}

/* ---- the latency in cards ---- */

static void write_interval(const struct change *change, enum metric metric, struct str *out)
{
    struct str text = {0};
    if (change->gap == GAP_NONE) {
        change_write_range(change, true, &text);
        str_append(&text, " %");
    } else {
        str_append(&text, "no interval: ");
        change_write_gap(change, metric, &text);
    }
    html_tied(out, str_text(&text));
    str_release(&text);
}

static void write_card(const struct change *change, enum metric metric, struct str *out)
{
    const char *key = verdict_key(change->verdict);
    str_printf(out, "<div class=\"card %s\"><h3>%s", key ? key : "information",
               metric_name(metric));
    if (key)
        str_printf(out, " <span class=\"verdict %s\">%s</span>", key,
                   verdict_name(change->verdict));
    str_append(out, "</h3><p class=\"change\">");
    html_tied(out, change_number(change->change).text);
    str_append(out, "</p><p class=\"range\">");
    write_interval(change, metric, out);
    str_append(out, "</p><p class=\"values\">");
    html_escape(out, change_value(change->a, metric, true).text);
    str_append(out, " \u2192 ");
    html_escape(out, change_value(change->b, metric, true).text);
    str_append(out, "</p></div>\n");
}

static void write_cards(const struct comparison *comparison, struct str *out)
{
    str_append(out, "<div class=\"cards\">\n");
    for (enum metric m = 0; m < METRIC_COUNT; m++)
        write_card(&comparison->rows[0].changes[m], m, out);
    str_append(out, "</div>\n");
}

/* ---- every number ---- */

static void write_number(const struct comparison_row *row, enum metric metric, const char *name,
                         struct str *out)
{
    const struct change *change = &row->changes[metric];
    const char *key = verdict_key(change->verdict);
    str_append(out, "<tr><td class=\"name\">");
    html_short(out, name, 200);
    str_printf(out, "</td><td>%s</td>", metric_name(metric));
    html_number_cell(out, change_value(change->a, metric, true).text, change->a);
    html_number_cell(out, change_value(change->b, metric, true).text, change->b);
    html_number_cell(out, change_number(change->change).text, change->change);
    str_printf(out, "<td class=\"n%s\">", change->gap == GAP_NONE ? "" : " why");
    write_interval(change, metric, out);
    str_printf(out, "</td><td class=\"%s\">%s</td></tr>\n", key ? key : "",
               key ? verdict_name(change->verdict) : "");
}

static void write_row(const struct comparison_row *row, struct str *out)
{
    struct str name = {0}, blind = {0};
    row_write_name(row, 200, true, &name);
    row_write_blind(row, &blind);
    if (blind.length) {
        str_append(out, "<tr><td class=\"name\">");
        html_escape(out, str_text(&name));
        str_append(out, "</td><td colspan=\"6\" class=\"faint\">not compared: ");
        html_escape(out, str_text(&blind));
        str_append(out, "</td></tr>\n");
    }
    for (enum metric m = 0; m < METRIC_COUNT; m++)
        if (row->changes[m].applies)
            write_number(row, m, str_text(&name), out);
    str_release(&name);
    str_release(&blind);
}

static void write_numbers(const struct comparison *comparison, struct str *out)
{
    str_append(out,
               "<section><h2>Every number</h2><p class=\"sub\">Changes are parts of A's "
               "latency. The intervals beside a verdict hold all at once with 95\u00a0%, "
               "others each for itself.</p><div class=\"wide\"><table class=\"numbers\"><thead>"
               "<tr><th>of</th><th>metric</th><th class=\"n\">A</th><th class=\"n\">B</th>"
               "<th class=\"n\">change</th><th class=\"n\">95\u00a0% interval</th>"
               "<th>verdict</th></tr></thead><tbody>\n");
    for (uint32_t r = 0; r < comparison->row_count; r++)
        write_row(&comparison->rows[r], out);
    str_append(out, "</tbody></table></div></section>\n");
}

/* ---- how it is judged ---- */

static void write_origin(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    struct str rule = {0};
    comparison_write_rule(comparison, &rule);
    str_append(out, "<section><h2>How it is judged</h2><p>");
    html_tied(out, str_text(&rule));
    str_printf(out,
               "</p><p class=\"sub\">%u block%s: %s. At most one in twenty comparisons says "
               "anything that is wrong.</p><dl class=\"origin\">\n",
               comparison->blocks, number_plural(comparison->blocks),
               comparison->of_runs ? "whole runs" : "stretches of one run's intervals");
    html_origin_row("command", report->command, out);
    html_origin_row("date", report->date, out);
    str_append(out, "</dl></section>\n");
    str_release(&rule);
}

void compare_write_html(const struct compare_report *report, struct str *out)
{
    const char *const styles[] = {report_css, drawings_css, compare_css, NULL};
    const char *const scripts[] = {compare_js, NULL};
    html_page_begin(out, "comparison", styles);
    write_headline(report, out);
    write_cards(report->comparison, out);
    html_warnings(report->warnings, report->warning_count, out);
    html_compare_roots(report->comparison, out);
    html_compare_histogram(report->comparison, out);
    html_compare_dumbbells(report->comparison, out);
    html_compare_tree(report->comparison, out);
    write_numbers(report->comparison, out);
    write_origin(report, out);
    html_page_end(out, scripts);
}
