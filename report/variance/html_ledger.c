/* The root ledger on the page: a line for each that does it, with what requests waited for in. */
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/variance/ledger_words.h"
#include "report/variance/outlier_words.h"
#include "report/variance/outline.h"

enum { MOST_LINES = 12, NAME_COLUMNS = 90 };

static void write_how(const struct variance_report *report, const struct ledger_line *line,
                      struct str *out)
{
    const struct ledger_way *way = ledger_line_way(line);
    struct str text = {0};
    if (way)
        str_printf(&text, "in %.90s", way->name);
    for (uint32_t i = 0; i < line->part_count; i++) {
        const struct ledger_part *part = &line->parts[i];
        if (!part->in || fabs(part->sums.share) < HTML_LEAST)
            continue;
        str_printf(&text, "%s%s while requests ", text.length ? "; " : "",
                   number_percent_short(part->sums.share).text);
        ledger_write_wait(report->tree, part, NAME_COLUMNS, true, &text);
        if (part->thread)
            str_printf(&text, ", in the thread of %.90s", part->thread);
        if (part->type)
            str_printf(&text, ", which serves %.90s", part->type);
    }
    html_escape(out, str_text(&text));
    str_release(&text);
}

static void write_line(const struct variance_report *report, const struct ledger_line *line,
                       struct str *out)
{
    struct str who = {0}, range = {0};
    bool doubtful = ledger_line_doubtful(line);
    ledger_write_who(line, NAME_COLUMNS, true, &who);
    str_printf(out, "<tr%s><td class=\"name\">", doubtful ? " class=\"doubtful\"" : "");
    html_escape(out, str_text(&who));
    str_append(out, "</td>");
    html_number_cell(out, number_percent(line->all.share).text, line->all.share);
    str_printf(&range, "%s \u2026 ", number_points(line->ci95[0]).text);
    str_printf(&range, "%s%s", number_points(line->ci95[1]).text, doubtful ? " ?" : "");
    html_number_cell(out, range.data, line->ci95[0]);
    html_number_cell(out, number_percent(line->own.share).text, line->own.share);
    html_number_cell(out, number_percent(line->waits.share).text, line->waits.share);
    html_number_cell(out, number_percent(line->all.tail_share).text, line->all.tail_share);
    str_append(out, "<td class=\"faint\">");
    write_how(report, line, out);
    str_append(out, "</td></tr>\n");
    str_release(&who);
    str_release(&range);
}

void html_outliers(const struct variance_report *report, struct str *out)
{
    struct str text = {0};
    if (!report->others)
        return;
    outliers_write_note(report, &text);
    str_append(out, "<p class=\"note\">");
    html_escape(out, text.data);
    str_append(out, "</p>\n");
    str_release(&text);
}

void html_ledger(const struct variance_report *report, struct str *out)
{
    const struct root_ledger *ledger = report->roots;
    uint32_t rows = 0, left = 0;
    double share = 0;
    if (!ledger->count || !outline_varies(report->tree))
        return;
    str_append(out,
               "<section><h2>Who does it</h2><p class=\"sub\">All of the latency's variance, by "
               "whom it goes back to: what each did in requests themselves (own), and while "
               "others waited for it. The lines add up to 100&nbsp;%.</p>\n"
               "<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>function</th>"
               "<th class=\"n\">share</th><th class=\"n\">95 % interval, %</th>"
               "<th class=\"n\">own</th><th class=\"n\">waits</th>"
               "<th class=\"n\">of the tail</th><th data-fixed>how</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (rows < MOST_LINES && fabs(ledger->lines[i].all.share) >= HTML_LEAST) {
            write_line(report, &ledger->lines[i], out);
            rows++;
        } else {
            left++;
            share += ledger->lines[i].all.share;
        }
    }
    str_append(out, "</tbody></table></div>");
    if (left)
        str_printf(out, "<p class=\"note\">%u more, together %s.</p>", left,
                   number_percent(share).text);
    str_append(out, "</section>\n");
}
