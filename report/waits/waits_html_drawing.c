/* The graph as a picture: Graphviz says where, the page's style says how. */
#include <math.h>

#include "base/number.h"
#include "report/waits/waits_html_parts.h"

enum { MARGIN = 6, NAME_RISE = 4, BLAME_FALL = 13 };

static void write_curve(const struct drawn_edge *edge, struct str *out)
{
    str_printf(out, "M%.1f %.1fC", edge->points[0].x, edge->points[0].y);
    for (uint32_t i = 1; i < edge->point_count; i++)
        str_printf(out, "%.1f %.1f ", edge->points[i].x, edge->points[i].y);
}

/* The head is a triangle from where the curve ends to the tip. */
static void write_head(const struct drawn_edge *edge, double width, struct str *out)
{
    struct drawn_point base = edge->points[edge->point_count - 1];
    double x = edge->tip.x - base.x, y = edge->tip.y - base.y, length = hypot(x, y);
    double half = 3.2 + width * 0.75;
    if (length < 0.1)
        return;
    x *= half / length;
    y *= half / length;
    str_printf(out, "<polygon points=\"%.1f %.1f %.1f %.1f %.1f %.1f\"/>", edge->tip.x, edge->tip.y,
               base.x - y, base.y + x, base.x + y, base.y - x);
}

static void write_said(const struct waits *waits, const struct drawn_edge *edge, struct str *out)
{
    struct str said = {0};
    waits_group_name(waits, edge->group, &said);
    if (edge->edge == NO_EDGE) {
        str_append(&said, ": its threads wait for each other");
    } else {
        str_append(&said, " waits for ");
        waits_group_name(waits, waits->graph.edges[edge->edge].to, &said);
    }
    str_printf(&said, ", %s of the time", number_percent_short(drawn_edge_share(waits, edge)).text);
    html_escape(out, str_text(&said));
    str_release(&said);
}

static void draw_edge(const struct waits *waits, const struct drawn_edge *edge, struct str *out)
{
    double width = drawn_edge_width(waits, edge);
    bool knot = edge->edge != NO_EDGE && waits_edge_in_knot(waits, edge->edge);
    str_printf(out, "<g class=\"edge%s\" tabindex=\"0\" role=\"button\"", knot ? " knot" : "");
    if (edge->edge == NO_EDGE)
        str_printf(out, " data-group=\"%u\"", edge->group);
    else
        str_printf(out, " data-edge=\"%u\" data-from=\"%u\" data-to=\"%u\"", edge->edge,
                   edge->group, waits->graph.edges[edge->edge].to);
    str_append(out, "><title>");
    write_said(waits, edge, out);
    str_append(out, "</title><path class=\"hit\" d=\"");
    write_curve(edge, out);
    str_printf(out, "\"/><path class=\"line\" stroke-width=\"%.1f\" d=\"", width);
    write_curve(edge, out);
    str_append(out, "\"/>");
    write_head(edge, width, out);
    if (edge->label.x > 0)
        str_printf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", edge->label.x,
                   edge->label.y + NAME_RISE,
                   number_percent_short(drawn_edge_share(waits, edge)).text);
    str_append(out, "</g>\n");
}

static void write_line(const char *class, double x, double y, const char *text, struct str *out)
{
    str_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    html_escape(out, text);
    str_append(out, "</text>");
}

static void draw_group(const struct waits *waits, const struct drawn_group *drawn, struct str *out)
{
    const struct wait_group *group = &waits->graph.groups[drawn->group];
    struct str name = {0}, blame = {0}, whole = {0};
    drawn_group_words(waits, drawn->group, &name, &blame);
    waits_group_name(waits, drawn->group, &whole);
    str_printf(
        out, "<g class=\"group%s%s\" data-group=\"%u\" tabindex=\"0\" role=\"button\"><title>",
        waits_group_in_knot(waits, drawn->group) ? " knot" : "",
        group->kind == VERTEX_THREAD ? group->of_run ? "" : " other" : " thing", drawn->group);
    html_escape(out, str_text(&whole));
    str_printf(out,
               "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.0f\"/>",
               drawn->x - drawn->width / 2, drawn->y - drawn->height / 2, drawn->width,
               drawn->height, group->kind == VERTEX_THREAD ? 4 : drawn->height / 2);
    write_line("name", drawn->x, drawn->y + (blame.length ? -NAME_RISE + 1 : NAME_RISE),
               str_text(&name), out);
    if (blame.length)
        write_line("blame", drawn->x, drawn->y + BLAME_FALL, blame.data, out);
    str_append(out, "</g>\n");
    str_release(&name);
    str_release(&blame);
    str_release(&whole);
}

/* The heavy ones are drawn last, the knot's above all others. */
static void draw_edges(const struct waits *waits, const struct waits_drawing *drawing, bool of_knot,
                       struct str *out)
{
    for (uint32_t i = drawing->edge_count; i-- > 0;) {
        const struct drawn_edge *edge = &drawing->edges[i];
        if ((edge->edge != NO_EDGE && waits_edge_in_knot(waits, edge->edge)) == of_knot)
            draw_edge(waits, edge, out);
    }
}

void html_waits_drawing(const struct waits_page *page, const struct waits_drawing *drawing,
                        const char *id, struct str *out)
{
    double width = drawing->width + 2 * MARGIN, height = drawing->height + 2 * MARGIN;
    str_printf(out,
               "<svg id=\"%s\" class=\"graph\" role=\"group\" aria-label=\"who waits for whom\" "
               "viewBox=\"%d %d %.0f %.0f\" data-width=\"%.0f\" data-height=\"%.0f\"%s>\n",
               id, -MARGIN, -MARGIN, width, height, width, height,
               drawing == page->all ? " hidden" : "");
    draw_edges(page->waits, drawing, false, out);
    draw_edges(page->waits, drawing, true, out);
    for (uint32_t i = 0; i < drawing->group_count; i++)
        draw_group(page->waits, &drawing->groups[i], out);
    str_append(out, "</svg>\n");
}
