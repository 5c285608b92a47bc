#include "base/number.h"
#include "report/stacks/stacks_html_parts.h"

static void write_headline(const struct stacks_page *page, struct str *out)
{
    const struct stacks *stacks = page->stacks;
    struct str seen = {0}, text = {0};
    str_printf(&seen, "%u thread%s in ", stacks->threads, number_plural(stacks->threads));
    str_printf(&seen, "%s \u00b7 ", number_ns((double)(stacks->until - stacks->from), true).text);
    str_printf(&seen, "%s samples", number_count(stacks->seen.samples).text);
    stacks_headline(stacks, &text);
    html_header(page->origin.command ? page->origin.command : "vprofiler stacks", seen.data,
                str_text(&text), page->doubts, out);
    str_release(&seen);
    str_release(&text);
}

static void write_unknown(const struct stacks_page *page, struct str *out)
{
    struct str text = {0};
    stacks_unknown(page->stacks, &text);
    str_append(out, "<section id=\"unknown\"><h2>What was seen, and what is not known</h2><p>");
    html_tied(out, str_text(&text));
    str_append(out, "</p></section>\n");
    str_release(&text);
}

void stacks_write_html(const struct stacks_page *page, struct str *out)
{
    const char *const styles[] = {report_css, stacks_css, NULL};
    const char *const scripts[] = {report_js, stacks_js, NULL};
    html_page_begin(out, page->origin.command ? page->origin.command : "stacks", styles);
    write_headline(page, out);
    html_stacks_proof(page, out);
    html_stacks_icicle(page, out);
    html_stacks_functions(page, out);
    html_stacks_threads(page, out);
    write_unknown(page, out);
    html_paper_doubts(page->doubts->items, page->doubts->count, out);
    html_origin(&page->origin, "stacks", out);
    html_page_end(out, scripts);
}
