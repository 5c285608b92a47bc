#include "base/number.h"
#include "report/stacks/compare_html_parts.h"
#include "report/stacks/compare_proof.h"

extern const char stacks_css[];
extern const char stacks_js[];

static void write_header(const struct stacks_compare *told, struct str *out)
{
    struct str text = {0};
    stacks_compare_headline(told, &text);
    str_append(out, "<header><p class=\"sub\">");
    for (int s = 0; s < 2; s++) {
        str_printf(out, "%s%s: ", s ? " \u00b7 " : "", compare_side(told, s));
        html_short(out, told->names[s], 80);
        str_printf(out, ", %u run%s", told->comparison->added[s].runs,
                   number_plural(told->comparison->added[s].runs));
    }
    str_append(out, "</p><h1>");
    html_tied(out, str_text(&text));
    str_append(out, "</h1>\n");
    html_doubts(told->doubts->items, told->doubts->count, out);
    str_append(out, "</header>\n");
    str_release(&text);
}

static void write_method(const struct stacks_compare *told, struct str *out)
{
    struct str text = {0};
    stacks_compare_method(told, &text);
    str_append(out, "<section id=\"unknown\"><h2>What is compared</h2><p>");
    html_tied(out, str_text(&text));
    str_append(out, "</p></section>\n");
    str_release(&text);
}

void stacks_compare_html(const struct stacks_compare *told, struct str *out)
{
    const char *const styles[] = {report_css, stacks_css, NULL};
    const char *const scripts[] = {report_js, stacks_js, NULL};
    html_page_begin(out, told->origin.command ? told->origin.command : "vprofiler compare", styles);
    write_header(told, out);
    html_compare_icicle(told, out);
    html_compare_contexts(told, out);
    compare_proof_html(told, out);
    html_compare_paths(told, out);
    write_method(told, out);
    html_paper_doubts(told->doubts->items, told->doubts->count, out);
    html_origin(&told->origin, NULL, out);
    html_page_end(out, scripts);
}
