#include "base/number.h"
#include "report/waits/waits_html_parts.h"

static void write_recorded(const struct waits_page *page, struct str *out)
{
    const struct wait_list *list = &page->waits->list;
    str_printf(out, "%s wait%s in %s", number_count(list->count).text, number_plural(list->count),
               number_ns((double)list->recorded, true).text);
    if (list->recorded < list->until - list->from)
        str_printf(out, ", recorded in windows within %s",
                   number_ns((double)(list->until - list->from), true).text);
}

static void write_headline(const struct waits_page *page, struct str *out)
{
    struct str recorded = {0}, text = {0};
    write_recorded(page, &recorded);
    waits_headline(page->waits, &text);
    html_header(page->origin.command ? page->origin.command : "vprofiler waits", recorded.data,
                str_text(&text), page->doubts, out);
    str_release(&recorded);
    str_release(&text);
}

static void write_tools(const struct waits_page *page, struct str *out)
{
    str_append(out, "<div class=\"tools\" hidden><button type=\"button\" id=\"larger\" "
                    "aria-label=\"larger\">+</button><button type=\"button\" id=\"smaller\" "
                    "aria-label=\"smaller\">\u2212</button><button type=\"button\" id=\"whole\">"
                    "whole graph</button>");
    if (page->all)
        str_printf(out,
                   "<label><input type=\"checkbox\" id=\"everything\"> all %u groups and %u edges "
                   "that count</label>",
                   page->all->group_count, page->all->edge_count);
    str_append(out,
               "<span class=\"faint\">Ctrl and the wheel zoom, the mouse drags.</span></div>\n");
}

static void write_left_out(const struct waits_page *page, struct str *out)
{
    const struct waits_drawing *last = page->all ? page->all : page->first;
    if (last->left_out)
        str_printf(out, " %s lesser edges are in the table alone.",
                   number_count(last->left_out).text);
}

static void write_picture(const struct waits_page *page, struct str *out)
{
    if (page->no_picture || !page->first->edge_count) {
        str_append(out, "<p class=\"note\">");
        html_escape(out, page->no_picture ? page->no_picture : "No edge counts.");
        str_append(out, "</p>\n");
        return;
    }
    write_tools(page, out);
    str_append(out, "<div id=\"picture\">");
    html_waits_drawing(page, page->first, "first", out);
    if (page->all)
        html_waits_drawing(page, page->all, "all", out);
    str_append(out, "</div>\n");
}

static void write_graph(const struct waits_page *page, struct str *out)
{
    str_append(out,
               "<section id=\"graph\"><h2>Who waits for whom</h2><p class=\"sub\">An arrow leads "
               "from who waits to whom it waits for, as wide as its share of one thread's time. "
               "Orange: the first knot. Round: no thread. Dashed: of another program.");
    write_left_out(page, out);
    str_append(out, "</p>\n<div class=\"sides\"><div>\n");
    write_picture(page, out);
    str_append(out, "<div id=\"pair\" hidden></div></div><aside id=\"chosen\" aria-live=\"polite\" "
                    "hidden></aside></div></section>\n");
}

void waits_write_html(const struct waits_page *page, struct str *out)
{
    const char *const styles[] = {report_css, drawings_css, waits_css, NULL};
    const char *const scripts[] = {report_js, waits_js, NULL};
    html_page_begin(out, page->origin.command ? page->origin.command : "waits", styles);
    write_headline(page, out);
    write_graph(page, out);
    html_waits_knots(page, out);
    html_waits_worth(page, out);
    html_waits_requests(page, out);
    html_waits_edges(page, out);
    html_waits_groups(page, out);
    html_waits_processor(page, out);
    html_paper_doubts(page->doubts->items, page->doubts->count, out);
    html_origin(&page->origin, "waits", out);
    html_waits_pairs(page, out);
    html_waits_stacks(page, out);
    html_page_end(out, scripts);
}
