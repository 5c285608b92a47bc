#include "report/kit/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/interval_words.h"

static void write_parts(const struct interval_summary *intervals, struct str *out)
{
    double whole = intervals->variance_ns2;
    str_printf(out, "<p class=\"sub\">%s of the variance lies between the types, ",
               number_percent(intervals->between_types_ns2 / whole).text);
    str_printf(out, "%s within them.</p>",
               number_percent(intervals->within_types_ns2 / whole).text);
}

void html_types(const struct report *report, struct str *out)
{
    const struct interval_summary *intervals = report->intervals;
    if (intervals->type_count < 2)
        return;
    str_append(out, "<section><h2>Types of intervals</h2>");
    if (intervals_vary(intervals))
        write_parts(intervals, out);
    str_append(out, "<div class=\"wide\"><table "
                    "class=\"sortable\"><thead><tr><th>type</th><th class=\"n\">intervals</th>"
                    "<th class=\"n\">mean</th><th class=\"n\">\u03c3</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < intervals->type_count; i++) {
        const struct interval_type_summary *type = &intervals->types[i];
        double sigma_ns = sqrt(type->variance_ns2);
        str_append(out, "<tr><td class=\"name\">");
        html_short(out, type->name && type->name[0] ? type->name : "(no type)", 160);
        str_append(out, "</td>");
        html_number_cell(out, number_count(type->count).text, (double)type->count);
        html_number_cell(out, number_ns(type->mean_ns, true).text, type->mean_ns);
        html_number_cell(out, number_ns(sigma_ns, true).text, sigma_ns);
        str_append(out, "</tr>\n");
    }
    str_append(out, "</tbody></table></div></section>\n");
}

static void write_value(const struct interval_value_summary *value, struct str *out)
{
    char range[120];
    snprintf(range, sizeof range, "%s \u2026 %s", number_points(value->ci95[0]).text,
             number_points(value->ci95[1]).text);
    str_append(out, "<tr><td class=\"name\">");
    html_short(out, value->name, 160);
    str_append(out, "</td>");
    html_number_cell(out, number_count(value->count).text, (double)value->count);
    html_number_cell(out, number_percent(value->explained).text, value->explained);
    html_number_cell(out, range, value->ci95[0]);
    html_number_cell(out, number_ns(value->slope_ns, true).text, value->slope_ns);
    str_append(out, "</tr>\n");
}

void html_values(const struct report *report, struct str *out)
{
    const struct interval_summary *intervals = report->intervals;
    if (intervals->work.value_count == 0 || !intervals_vary(intervals))
        return;
    str_printf(out,
               "<section><h2>Size of the work</h2><p class=\"sub\">%s of the variance goes with "
               "the values given by SI_VALUE: more was asked for. ",
               number_percent(intervals->work.values_explained).text);
    str_printf(out, "The other %s does not, and can be avoided.</p>",
               number_percent(1 - intervals->work.values_explained).text);
    str_append(out, "<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>value</th>"
                    "<th class=\"n\">intervals</th><th class=\"n\">explains alone</th>"
                    "<th class=\"n\">95 % interval, %</th><th class=\"n\">latency for one more</th>"
                    "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < intervals->work.value_count; i++)
        write_value(&intervals->work.values[i], out);
    str_append(out, "</tbody></table></div></section>\n");
}
