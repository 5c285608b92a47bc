/* The differential root ledger: whom the time goes back to, in A and in B. */
#include "report/variance/compare_html.h"

#include <math.h>

#include "base/utf8.h"

enum { MOST_LINES = 14, NAME_COLUMNS = 90 };

#define LEAST_TOLD 0.001 /* of A's latency, or either share */

static const enum metric metric_of[] = {METRIC_MEAN, METRIC_VARIANCE};

static bool is_told(const struct root_change *line)
{
    double most = 0;
    for (int way = 0; way < DIFFERENCE_WAYS; way++)
        for (int s = 0; s < 2; s++)
            most = fmax(most, fabs(line->part[way][s]));
    return most >= LEAST_TOLD;
}

static void write_change(const struct change *change, enum metric metric, struct str *out)
{
    const char *kind = !change->verdict || !change_is_told(change) ? "even"
                       : change->change > 0                        ? "more"
                                                                   : "less";
    struct str text = {0};
    str_printf(out, "<td class=\"n %s\" data-v=\"%.9g\">", kind,
               isfinite(change->change) ? change->change : 0);
    html_tied(out, change_number(change->change).text);
    str_printf(out, "</td><td class=\"n%s\">", change->gap == GAP_NONE ? "" : " why");
    if (change->gap == GAP_NONE)
        change_write_range(change, true, &text);
    else
        change_write_gap(change, metric, &text);
    html_tied(out, str_text(&text));
    str_append(out, "</td>");
    str_release(&text);
}

static void write_values(const struct comparison *comparison, const struct root_change *line,
                         enum difference_way way, struct str *out)
{
    const struct change *change = &line->changes[way];
    for (int s = 0; s < 2; s++)
        html_number_cell(out, root_value(comparison, line, way, s, true).text,
                         s ? change->b : change->a);
}

static void write_line(const struct comparison *comparison, const struct root_change *line,
                       struct str *out)
{
    struct str who = {0};
    root_write_who(line, NAME_COLUMNS, true, &who);
    str_append(out, "<tr><td class=\"name\">");
    html_escape(out, str_text(&who));
    str_append(out, "</td>");
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
        write_values(comparison, line, way, out);
        if (line->changes[way].applies) {
            write_change(&line->changes[way], metric_of[way], out);
        } else {
            str_append(out, "<td class=\"faint\" colspan=\"2\">not compared: one side does not "
                            "time ");
            html_short(out, comparison->roots.blind, 60);
            str_append(out, "</td>");
        }
    }
    str_append(out, "</tr>\n");
    str_release(&who);
}

void html_compare_roots(const struct comparison *comparison, struct str *out)
{
    const struct root_difference *roots = &comparison->roots;
    uint32_t rows = 0;
    if (!roots->count)
        return;
    str_append(out,
               "<section><h2>Who does it</h2><p class=\"sub\">Whom the latency goes back to, what "
               "others waited for included. Changes are parts of A's mean latency and of its "
               "variance; they add up to the latency's own. In colour: told from 0.</p>\n"
               "<div class=\"wide\"><table class=\"roots\"><thead><tr><th></th>"
               "<th colspan=\"4\">mean time</th><th colspan=\"4\">part of A's variance</th></tr>"
               "<tr><th>function</th><th class=\"n\">A</th><th class=\"n\">B</th>"
               "<th class=\"n\">change</th><th class=\"n\">95\u00a0% interval</th>"
               "<th class=\"n\">A</th><th class=\"n\">B</th>"
               "<th class=\"n\">change</th><th class=\"n\">95\u00a0% interval</th></tr></thead>"
               "<tbody>\n");
    for (uint32_t i = 0; i < roots->count && rows < MOST_LINES; i++)
        if (is_told(&roots->lines[i])) {
            write_line(comparison, &roots->lines[i], out);
            rows++;
        }
    str_append(out, "</tbody></table></div>\n");
    if (rows < roots->count)
        str_printf(out, "<p class=\"note\">%u smaller ones are in compare.json.</p>",
                   roots->count - rows);
    str_append(out, "</section>\n");
}
