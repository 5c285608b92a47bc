/* The root ledger on the page: a line for each that does it, with what requests waited for in. */
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/variance/factor_words.h"
#include "report/variance/ledger_words.h"
#include "report/variance/outlier_words.h"
#include "report/variance/outline.h"

enum { MOST_LINES = 12, MOST_FOLDED = 40, NAME_COLUMNS = 90 };

static void write_how(const struct variance_report *report, const struct ledger_line *line,
                      struct str *out)
{
    const struct ledger_way *way = ledger_line_way(line);
    struct str text = {0};
    if (way)
        ledger_write_way(way, NAME_COLUMNS, true, &text);
    for (uint32_t i = 0; i < line->part_count; i++) {
        const struct ledger_part *part = &line->parts[i];
        if (!ledger_part_is_told(part) || fabs(part->sums.share) < LEDGER_FOLDED)
            continue;
        str_append(&text, text.length ? "; " : "");
        ledger_write_part(report->tree, part, NAME_COLUMNS, true, &text);
    }
    html_escape(out, str_text(&text));
    str_release(&text);
}

static void write_line(const struct variance_report *report, const struct ledger_line *line,
                       struct str *out)
{
    struct str range = {0};
    bool doubtful = ledger_line_doubtful(line);
    uint32_t shade = ledger_shade(report->roots, (uint32_t)(line - report->roots->lines));
    str_printf(out, "<tr%s><td class=\"name\"><i class=\"swatch w%u\"></i> ",
               doubtful ? " class=\"doubtful\"" : "", shade);
    ledger_write_name(line, out);
    str_append(out, "</td>");
    html_number_cell(out, number_percent(line->all.share).text, line->all.share);
    if (factors_steady(report)) {
        str_printf(&range, "%s \u2026 ", number_points(line->ci95[0]).text);
        str_printf(&range, "%s%s", number_points(line->ci95[1]).text, doubtful ? " ?" : "");
    } else { /* the variance itself is not told from 0 */
        str_append(&range, "-");
    }
    html_number_cell(out, range.data, line->ci95[0]);
    html_number_cell(out, number_percent(line->own.share).text, line->own.share);
    html_number_cell(out, number_percent(line->waits.share).text, line->waits.share);
    html_number_cell(out, number_percent(line->all.tail_share).text, line->all.tail_share);
    str_append(out, "<td class=\"faint\">");
    write_how(report, line, out);
    str_append(out, "</td></tr>\n");
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

static void open_table(struct str *out)
{
    str_append(out, "<div class=\"wide\"><table class=\"sortable ledger\"><thead><tr>"
                    "<th>function</th><th class=\"n\">share</th>"
                    "<th class=\"n\">95 % interval, %</th><th class=\"n\">own</th>"
                    "<th class=\"n\">waits</th><th class=\"n\">of the tail</th>"
                    "<th data-fixed>how</th></tr></thead><tbody>\n");
}

/* The lines from `from` on that are worth a row. */
static void write_lines(const struct variance_report *report, uint32_t from, uint32_t to,
                        struct str *out)
{
    open_table(out);
    for (uint32_t i = from; i < to; i++)
        write_line(report, &report->roots->lines[i], out);
    str_append(out, "</tbody></table></div>");
}

/* Lines stand by share: those that take variance away are the last ones. */
static void write_folded(const struct variance_report *report, uint32_t from, struct str *out)
{
    const struct root_ledger *ledger = report->roots;
    double share = 0;
    for (uint32_t i = from; i < ledger->count; i++)
        share += ledger->lines[i].all.share;
    str_printf(out, "<details><summary>%u more, together %s", ledger->count - from,
               number_percent(share).text);
    str_append(out, "</summary>");
    write_lines(report, from,
                ledger->count < from + MOST_FOLDED ? ledger->count : from + MOST_FOLDED, out);
    str_append(out, "</details>");
}

void html_ledger(const struct variance_report *report, struct str *out)
{
    const struct root_ledger *ledger = report->roots;
    uint32_t shown = 0;
    if (!ledger->count || !outline_varies(report->tree))
        return;
    str_append(out,
               "<section id=\"ledger\"><h2>Who does it, in numbers</h2><p class=\"sub\">All of "
               "the latency's variance, by whom it goes back to: what each did in requests "
               "themselves (own), and while others waited for it. The lines add up to "
               "100&nbsp;%.</p>\n");
    while (shown < ledger->count && shown < MOST_LINES &&
           ledger->lines[shown].all.share >= LEDGER_FOLDED)
        shown++;
    shown = shown ? shown : 1;
    write_lines(report, 0, shown, out);
    if (shown < ledger->count)
        write_folded(report, shown, out);
    str_append(out, "</section>\n");
}
