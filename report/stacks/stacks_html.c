#include "base/number.h"
#include "report/stacks/stacks_html_parts.h"

static void write_headline(const struct stacks_page *page, struct str *out)
{
    const struct stacks *stacks = page->stacks;
    struct str text = {0};
    stacks_headline(stacks, &text);
    str_append(out, "<header><p class=\"sub\">");
    html_short(out, page->command ? page->command : "vprofiler stacks", 120);
    str_printf(out, " \u00b7 %u thread%s in ", stacks->threads, number_plural(stacks->threads));
    str_printf(out, "%s \u00b7 ", number_ns((double)(stacks->until - stacks->from), true).text);
    str_printf(out, "%s samples</p><h1>", number_count(stacks->seen.samples).text);
    html_tied(out, str_text(&text));
    str_append(out, "</h1>\n");
    html_doubts(page->doubts->items, page->doubts->count, out);
    str_append(out, "</header>\n");
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

static void write_origin(const struct stacks_page *page, struct str *out)
{
    const char *const rows[][2] = {
        {"command", page->command}, {"host", page->host}, {"date", page->date}};
    str_append(out, "<section><h2>Where it is from</h2><dl class=\"origin\">\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i][1])
            continue;
        str_printf(out, "<dt>%s</dt><dd><code>", rows[i][0]);
        html_escape(out, rows[i][1]);
        str_append(out, "</code></dd>\n");
    }
    str_append(out, "</dl><p class=\"note\">stacks.json beside this page holds every number, "
                    "unrounded (vprofiler.stacks/1).</p></section>\n");
}

void stacks_write_html(const struct stacks_page *page, struct str *out)
{
    const char *const styles[] = {report_css, stacks_css, NULL};
    const char *const scripts[] = {report_js, stacks_js, NULL};
    html_page_begin(out, page->command ? page->command : "stacks", styles);
    write_headline(page, out);
    html_stacks_proof(page, out);
    html_stacks_icicle(page, out);
    html_stacks_functions(page, out);
    html_stacks_threads(page, out);
    write_unknown(page, out);
    /* On paper nothing opens: there the doubts stand in full. */
    str_append(out, "<div class=\"paper\">");
    html_warnings(page->doubts->items, page->doubts->count, out);
    str_append(out, "</div>");
    write_origin(page, out);
    html_page_end(out, scripts);
}
