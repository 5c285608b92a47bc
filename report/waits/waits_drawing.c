#include "report/waits/waits_drawing.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/waits/waits_report.h"

enum {
    LETTER = 8, /* pixels: the name's, in letters of one width */
    SMALL_LETTER = 7,
    BORDER = 22, /* left and right of a name, together */
    ONE_LINE = 30,
    TWO_LINES = 44,
    MOST_NAME = 30,
    LABEL = 14, /* pixels */
    MOST_WIDTH = 12
};
#define LEAST_WIDTH 1.2
#define PIXELS_PER_INCH 72.0

/* ---- what is drawn ---- */

bool waits_edge_in_knot(const struct waits *waits, uint32_t edge)
{
    const struct knot *knot = waits->knots.items;
    for (uint32_t i = 0; waits->knots.count && i < knot->edge_count; i++)
        if (knot->edges[i] == edge)
            return true;
    return false;
}

struct choosing {
    struct waits_drawing *drawing;
    const struct waits *waits;
    bool *drawn; /* by group */
    size_t group_capacity, edge_capacity;
};

static void draw_group(struct choosing *c, uint32_t group)
{
    size_t count = c->drawing->group_count;
    if (c->drawn[group])
        return;
    c->drawn[group] = true;
    VEC_PUSH(c->drawing->groups, count, c->group_capacity) = (struct drawn_group){.group = group};
    c->drawing->group_count = (uint32_t)count;
}

static void draw_edge(struct choosing *c, uint32_t edge, uint32_t group)
{
    size_t count = c->drawing->edge_count;
    VEC_PUSH(c->drawing->edges, count, c->edge_capacity) =
        (struct drawn_edge){.edge = edge, .group = group};
    c->drawing->edge_count = (uint32_t)count;
}

static void draw_edges(struct choosing *c, bool of_knot, uint32_t most)
{
    const struct wait_graph *graph = &c->waits->graph;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        if (!c->waits->counts[e] || waits_edge_in_knot(c->waits, e) != of_knot)
            continue;
        if (c->drawing->edge_count == most) {
            c->drawing->left_out++;
            continue;
        }
        draw_edge(c, e, graph->edges[e].from);
        draw_group(c, graph->edges[e].from);
        draw_group(c, graph->edges[e].to);
    }
}

/* ---- parts ---- */

static uint32_t root_of(uint32_t *above, uint32_t group)
{
    while (above[group] != group)
        group = above[group] = above[above[group]];
    return group;
}

/* Those of the first knot come first, then as they were chosen. */
static void number_parts(struct waits_drawing *drawing, const struct waits *waits, uint32_t *above)
{
    uint32_t *number = memory_zeroed((waits->graph.group_count + 1) * sizeof *number);
    for (int knot = 1; knot >= 0; knot--)
        for (uint32_t i = 0; i < drawing->group_count; i++) {
            uint32_t root = root_of(above, drawing->groups[i].group);
            if (!number[root] && (!knot || waits_group_in_knot(waits, drawing->groups[i].group)))
                number[root] = ++drawing->part_count;
        }
    for (uint32_t i = 0; i < drawing->group_count; i++)
        drawing->groups[i].part = number[root_of(above, drawing->groups[i].group)] - 1;
    memory_free(number);
}

static void find_parts(struct waits_drawing *drawing, const struct waits *waits)
{
    uint32_t *above = memory_alloc((waits->graph.group_count + 1) * sizeof *above);
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        above[g] = g;
    for (uint32_t i = 0; i < drawing->edge_count; i++) {
        const struct drawn_edge *edge = &drawing->edges[i];
        if (edge->edge != NO_EDGE)
            above[root_of(above, edge->group)] = root_of(above, waits->graph.edges[edge->edge].to);
    }
    number_parts(drawing, waits, above);
    memory_free(above);
}

void waits_drawing_choose(struct waits_drawing *drawing, const struct waits *waits, uint32_t most)
{
    struct choosing c = {
        .drawing = drawing, .waits = waits, .drawn = memory_zeroed(waits->graph.group_count + 1)};
    *drawing = (struct waits_drawing){0};
    draw_edges(&c, true, most);
    draw_edges(&c, false, most);
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        if (waits_within_share(waits, g) > EDGE_LEAST) {
            draw_group(&c, g);
            draw_edge(&c, NO_EDGE, g);
        }
    find_parts(drawing, waits);
    memory_free(c.drawn);
}

/* ---- what is written ---- */

void drawn_group_words(const struct waits *waits, uint32_t group, struct str *name,
                       struct str *blame)
{
    struct str whole = {0};
    double all = 0;
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        all += (double)waits->graph.groups[g].blamed;
    double part = all > 0 ? (double)waits->graph.groups[group].blamed / all : 0;
    waits_group_name(waits, group, &whole);
    utf8_fit(name, str_text(&whole), MOST_NAME, true);
    if (part > EDGE_LEAST)
        str_printf(blame, "%s of all waiting", number_percent_short(part).text);
    str_release(&whole);
}

double drawn_edge_share(const struct waits *waits, const struct drawn_edge *edge)
{
    return edge->edge == NO_EDGE ? waits_within_share(waits, edge->group)
                                 : waits->graph.edges[edge->edge].raw_share.value;
}

double drawn_edge_width(const struct waits *waits, const struct drawn_edge *edge)
{
    return LEAST_WIDTH + MOST_WIDTH * fmin(drawn_edge_share(waits, edge), 1);
}

/* ---- where it stands ---- */

static void ask_for_group(const struct drawn_group *drawn, const struct waits *waits,
                          struct str *out)
{
    struct str name = {0}, blame = {0};
    drawn_group_words(waits, drawn->group, &name, &blame);
    size_t width = utf8_columns(str_text(&name)) * LETTER;
    if (utf8_columns(str_text(&blame)) * SMALL_LETTER > width)
        width = utf8_columns(str_text(&blame)) * SMALL_LETTER;
    str_printf(out, "n%u [width=%.4f, height=%.4f];\n", drawn->group,
               (double)(width + BORDER) / PIXELS_PER_INCH,
               (blame.length ? TWO_LINES : ONE_LINE) / PIXELS_PER_INCH);
    str_release(&name);
    str_release(&blame);
}

static void ask_for_edge(const struct waits_drawing *drawing, uint32_t index,
                         const struct waits *waits, struct str *out)
{
    const struct drawn_edge *edge = &drawing->edges[index];
    struct str label = {0};
    uint32_t to = edge->edge == NO_EDGE ? edge->group : waits->graph.edges[edge->edge].to;
    if (drawing->edge_count <= DRAWN_WITH_SHARES)
        str_append(&label, number_percent_short(drawn_edge_share(waits, edge)).text);
    /* Room for the label is as high as the line is wide, and a letter. */
    str_printf(out, "n%u -> n%u [id=%u, label=\"%s\", fontsize=%.0f];\n", edge->group, to, index,
               str_text(&label), LABEL + drawn_edge_width(waits, edge));
    str_release(&label);
}

static uint32_t part_of(const struct waits_drawing *drawing, uint32_t group)
{
    uint32_t i = 0;
    while (drawing->groups[i].group != group)
        i++;
    return drawing->groups[i].part;
}

static void ask_for_part(const struct waits_drawing *drawing, uint32_t part,
                         const struct waits *waits, struct str *out)
{
    str_append(out, "digraph waits {\nrankdir=LR; nodesep=0.35; ranksep=0.75;\n");
    if (drawing->edge_count > DRAWN_WITH_SHARES)
        str_append(out, "splines=line; nslimit=1; nslimit1=1; mclimit=0.3;\n");
    str_append(out, "node [shape=box, fixedsize=true, label=\"\"];\n"
                    "edge [fontname=\"DejaVu Sans\", arrowsize=1.1];\n");
    for (uint32_t i = 0; i < drawing->group_count; i++)
        if (drawing->groups[i].part == part)
            ask_for_group(&drawing->groups[i], waits, out);
    for (uint32_t i = 0; i < drawing->edge_count; i++)
        if (part_of(drawing, drawing->edges[i].group) == part)
            ask_for_edge(drawing, i, waits, out);
    str_append(out, "}\n");
}

void waits_drawing_ask(const struct waits_drawing *drawing, const struct waits *waits,
                       struct str *out)
{
    for (uint32_t part = 0; part < drawing->part_count; part++)
        ask_for_part(drawing, part, waits, out);
}

/* Parts stand in rows, as words do. */
struct placing {
    struct waits_drawing *drawing;
    double x, y, row;     /* where the next part begins, and how high its row is by now */
    double width, height; /* of the part */
};

/* "12.5,40": what follows the point, or NULL. Graphviz counts from below. */
static const char *read_point(const struct placing *p, const char *text, struct drawn_point *point)
{
    char *comma, *end;
    double x = strtod(text, &comma);
    if (comma == text || *comma != ',')
        return NULL;
    double y = strtod(comma + 1, &end);
    if (end == comma + 1)
        return NULL;
    *point = (struct drawn_point){p->x + x, p->y + p->height - y};
    return *end == ' ' ? end + 1 : end;
}

static bool place_group(const struct placing *p, const json_t *object)
{
    struct waits_drawing *drawing = p->drawing;
    const char *name = json_string_value(json_object_get(object, "name"));
    const char *at = json_string_value(json_object_get(object, "pos"));
    const char *width = json_string_value(json_object_get(object, "width"));
    const char *height = json_string_value(json_object_get(object, "height"));
    struct drawn_point middle;
    if (!name || !at || !width || !height || !read_point(p, at, &middle))
        return false;
    unsigned long group = strtoul(name + 1, NULL, 10);
    for (uint32_t i = 0; i < drawing->group_count; i++) {
        struct drawn_group *drawn = &drawing->groups[i];
        if (drawn->group != group)
            continue;
        *drawn = (struct drawn_group){drawn->group,
                                      drawn->part,
                                      middle.x,
                                      middle.y,
                                      strtod(width, NULL) * PIXELS_PER_INCH,
                                      strtod(height, NULL) * PIXELS_PER_INCH};
        return true;
    }
    return false;
}

/* "e,TIP POINT POINT POINT POINT ..." */
static bool place_edge(const struct placing *p, const json_t *object)
{
    struct waits_drawing *drawing = p->drawing;
    const char *id = json_string_value(json_object_get(object, "id"));
    const char *at = json_string_value(json_object_get(object, "pos"));
    const char *label = json_string_value(json_object_get(object, "lp"));
    unsigned long index = id ? strtoul(id, NULL, 10) : drawing->edge_count;
    if (index >= drawing->edge_count || !at || !str_starts_with(at, "e,"))
        return false;
    struct drawn_edge *edge = &drawing->edges[index];
    size_t count = 0, capacity = 0;
    struct drawn_point point;
    at = read_point(p, at + 2, &edge->tip);
    while (at && *at && (at = read_point(p, at, &point)))
        VEC_PUSH(edge->points, count, capacity) = point;
    edge->point_count = (uint32_t)count;
    return at && count >= 4 && count % 3 == 1 && (!label || read_point(p, label, &edge->label));
}

enum { PART_GAP = 28, ROW_WIDTH = 750 }; /* pixels; as wide as the page has room for */

static bool next_part(struct placing *p, const json_t *root)
{
    const char *box = json_string_value(json_object_get(root, "bb"));
    if (!box || sscanf(box, "0,0,%lf,%lf", &p->width, &p->height) != 2)
        return false;
    if (p->x > 0 && p->x + p->width > ROW_WIDTH) {
        p->x = 0;
        p->y += p->row + PART_GAP;
        p->row = 0;
    }
    p->row = fmax(p->row, p->height);
    p->drawing->width = fmax(p->drawing->width, p->x + p->width);
    p->drawing->height = p->y + p->row;
    return true;
}

/* Gives how many groups and edges it has placed. */
static size_t place_part(struct placing *p, const json_t *root)
{
    size_t i, placed = 0;
    json_t *object;
    if (!next_part(p, root))
        return 0;
    json_array_foreach(json_object_get(root, "objects"), i, object)
    {
        placed += place_group(p, object);
    }
    json_array_foreach(json_object_get(root, "edges"), i, object)
    {
        placed += place_edge(p, object);
    }
    p->x += p->width + PART_GAP;
    return placed;
}

bool waits_drawing_place(struct waits_drawing *drawing, const char *answer)
{
    struct placing p = {.drawing = drawing};
    size_t placed = 0;
    json_error_t end;
    for (json_t *root; (root = json_loads(answer, JSON_DISABLE_EOF_CHECK, &end));
         answer += end.position) {
        placed += place_part(&p, root);
        json_decref(root);
    }
    drawing->placed = placed == (size_t)drawing->group_count + drawing->edge_count;
    return drawing->placed;
}

void waits_drawing_release(struct waits_drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->edge_count; i++)
        memory_free(drawing->edges[i].points);
    memory_free(drawing->edges);
    memory_free(drawing->groups);
    *drawing = (struct waits_drawing){0};
}
