#include "report/kit/icicle.h"

#include <math.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "report/kit/html_parts.h"
#include "report/kit/json_parts.h"

enum { ROW_PIXELS = 26, NAME_COLUMNS = 1000, LABEL_COLUMNS = 120 };

#define LEAST_DRAWN 0.3 /* percent of the view: less is a sliver of a few pixels */
#define SAME 0.99       /* of the box above: a box that is as wide tells nothing new */
#define LINK " \u203a "

/* ---- where boxes are ---- */

static bool shares_box(const struct icicle *icicle, uint32_t node, const struct icicle_box *above)
{
    double width = icicle->boxes[node].width;
    return width > 0 && width >= SAME * above->width && icicle->family->joins(icicle, node);
}

static void place_box(struct icicle *icicle, uint32_t node)
{
    struct icicle_box *box = &icicle->boxes[node];
    box->first = box->face = node;
    if (node == 0)
        return;
    uint32_t parent = icicle->family->parent(icicle, node);
    const struct icicle_box *above = &icicle->boxes[icicle->boxes[parent].first];
    box->depth = above->depth + 1;
    if (!shares_box(icicle, node, above))
        return;
    box->first = above->first;
    box->depth = above->depth;
    if (!icicle->family->is_face || icicle->family->is_face(icicle, node))
        icicle->boxes[box->first].face = node;
}

bool icicle_begins_box(const struct icicle *icicle, uint32_t node)
{
    return icicle->boxes[node].first == node;
}

bool icicle_is_told(const struct icicle *icicle, uint32_t node)
{
    return icicle->boxes[node].told != 0;
}

static bool is_wide(const struct icicle *icicle, const struct icicle_box *box, double least)
{
    return (box->width > 0 || icicle->family->empty) && box->width >= least;
}

static uint32_t number_told(struct icicle *icicle, double least)
{
    icicle->told = 0;
    for (uint32_t n = 0; n < icicle->count; n++) {
        struct icicle_box *box = &icicle->boxes[n];
        bool above = n == 0 || icicle_is_told(icicle, icicle->family->parent(icicle, n));
        if (!icicle_begins_box(icicle, n))
            box->told = icicle->boxes[box->first].told;
        else
            box->told = above && is_wide(icicle, box, least) ? ++icicle->told : 0;
    }
    return icicle->told;
}

/* The picture has no room for what is not drawn. */
void icicle_place(struct icicle *icicle, uint32_t most)
{
    icicle->boxes = memory_zeroed(sizeof *icicle->boxes * (icicle->count ? icicle->count : 1));
    icicle->boxes[0].width = 100;
    for (uint32_t n = 0; n < icicle->count; n++) {
        const struct icicle_box *box = &icicle->boxes[n];
        place_box(icicle, n);
        icicle->family->place(icicle, n);
        if (box->width >= LEAST_DRAWN && box->depth > icicle->depth)
            icicle->depth = box->depth;
    }
    for (double least = 0; icicle->count && number_told(icicle, least) > most;)
        least = least > 0 ? 2 * least : LEAST_DRAWN / 1024;
}

void icicle_release(struct icicle *icicle)
{
    memory_free(icicle->boxes);
    icicle->boxes = NULL;
}

/* ---- what a box says ---- */

enum { MOST_CHAIN = 200, MOST_LABELLED = 4 };

/* The nodes of a box come from the last one to the first, of a long chain without some. */
static uint32_t nodes_of(const struct icicle *icicle, uint32_t node, uint32_t nodes[MOST_CHAIN])
{
    uint32_t count = 0;
    for (uint32_t n = icicle->boxes[node].face; count < MOST_CHAIN - 1 && n != node;
         n = icicle->family->parent(icicle, n))
        nodes[count++] = n;
    nodes[count++] = node;
    return count;
}

static void write_name(const struct icicle *icicle, uint32_t node, size_t columns, struct str *out)
{
    struct str name = {0};
    icicle->family->name(icicle, node, &name);
    utf8_fit(out, str_text(&name), columns, true);
    str_release(&name);
}

/* Writes "serve > handle", or where a box has many nodes "serve > ... > handle" for its label. */
static void write_names(const struct icicle *icicle, uint32_t node, bool label, struct str *out)
{
    uint32_t nodes[MOST_CHAIN], count = nodes_of(icicle, node, nodes);
    size_t columns = (label ? LABEL_COLUMNS : NAME_COLUMNS) / (count < 4 ? count : 4);
    for (uint32_t i = count; i-- > 0;) {
        bool left_out = label && count > MOST_LABELLED && i > 0 && i < count - 1;
        if (left_out && i < count - 2)
            continue;
        str_append(out, i == count - 1 ? "" : LINK);
        if (left_out)
            str_append(out, "\u2026");
        else
            write_name(icicle, nodes[i], columns, out);
    }
}

/* The script writes a box's name likewise where it becomes wide enough. */
static void write_box(const struct icicle *icicle, uint32_t node, struct str *out)
{
    const struct icicle_box *box = &icicle->boxes[node];
    struct icicle_look look = icicle->family->look(icicle, box->face);
    struct str label = {0};
    write_names(icicle, node, true, &label);
    str_printf(out,
               "<button type=\"button\" role=\"treeitem\" class=\"box%s%s\" data-n=\"%u\" "
               "aria-level=\"%u\" tabindex=\"%d\" aria-label=\"",
               *look.class ? " " : "", look.class, box->told - 1, box->depth + 1, node ? -1 : 0);
    html_escape(out, str_text(&label));
    str_printf(out, ", %s%s%s\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%u%%", look.kind,
               *look.weight.text ? ", " : "", look.weight.text, box->left, box->width,
               box->depth * ROW_PIXELS, look.heat);
    if (look.solid >= 0)
        str_printf(out, ";--solid:%d%%", look.solid);
    str_append(out, "\"><span><bdi>");
    html_escape(out, str_text(&label));
    str_printf(out, "</bdi> <b>%s</b></span></button>\n", look.weight.text);
    str_release(&label);
}

void icicle_write_boxes(const struct icicle *icicle, const char *label, struct str *out)
{
    str_printf(out, "<div id=\"icicle\" role=\"tree\" aria-label=\"%s\" style=\"height:%upx\">\n",
               label, (icicle->depth + 1) * ROW_PIXELS);
    for (uint32_t n = 0; n < icicle->count; n++)
        if (icicle_is_told(icicle, n) && icicle_begins_box(icicle, n) &&
            icicle->boxes[n].width >= LEAST_DRAWN)
            write_box(icicle, n, out);
    str_append(out, "</div>\n");
}

/* ---- for the script ---- */

/* A text is told by its place among the texts of all boxes, as most occur many times. */
void icicle_push(struct intern *texts, json_t *array, const char *text)
{
    json_push(array, json_count(intern_add(texts, text)));
}

static json_t *box_json(const struct icicle *icicle, struct intern *texts, uint32_t node,
                        const struct icicle_look *look)
{
    const struct icicle_box *box = &icicle->boxes[node];
    json_t *fields = json_array(), *above = json_null();
    struct str name = {0}, label = {0};
    if (node)
        above = json_count(icicle->boxes[icicle->family->parent(icicle, node)].told - 1);
    write_names(icicle, node, false, &name);
    write_names(icicle, node, true, &label);
    icicle_push(texts, fields, str_text(&name));
    icicle_push(texts, fields, str_text(&label));
    json_push(fields, above);
    json_push(fields, json_integer(llround(box->left * 1e7)));
    json_push(fields, json_integer(llround(box->width * 1e7)));
    json_push(fields, json_count(look->heat));
    json_push(fields, json_count(look->blamed));
    icicle_push(texts, fields, look->weight.text);
    icicle->family->facts(icicle, box->face, texts, fields);
    str_release(&name);
    str_release(&label);
    return fields;
}

static json_t *look_json(const struct icicle_look *look)
{
    json_t *told = json_array();
    json_push(told, json_text(look->class));
    json_push(told, json_integer(look->solid < 0 ? 100 : look->solid));
    return told;
}

/* That a box is blamed tells its class. */
static bool has_own_look(const struct icicle_look *look)
{
    return look->solid >= 0 || (*look->class && !look->blamed);
}

json_t *icicle_data(const struct icicle *icicle)
{
    json_t *data = json_object(), *labels = json_array(), *boxes = json_array();
    json_t *all = json_array(), *looks = json_array();
    struct intern texts = {0};
    bool own_looks = false;
    for (const char *const *label = icicle->labels; *label; label++)
        json_push(labels, json_text(*label));
    for (uint32_t n = 0; n < icicle->count; n++)
        if (icicle_is_told(icicle, n) && icicle_begins_box(icicle, n)) {
            struct icicle_look look = icicle->family->look(icicle, icicle->boxes[n].face);
            json_push(boxes, box_json(icicle, &texts, n, &look));
            json_push(looks, look_json(&look));
            own_looks |= has_own_look(&look);
        }
    for (uint32_t i = 0; i < texts.count; i++)
        json_push(all, json_text(texts.text[i]));
    json_set(data, "texts", all);
    json_set(data, "labels", labels);
    json_set(data, "row", json_count(ROW_PIXELS));
    json_set(data, "least", json_number(LEAST_DRAWN / 100));
    json_set(data, "boxes", boxes);
    if (own_looks)
        json_set(data, "looks", looks);
    else
        json_decref(looks);
    intern_release(&texts);
    return data;
}

void icicle_write_data(json_t *data, struct str *out)
{
    str_append(out, "<script type=\"application/json\" id=\"icicle-data\">");
    html_json(out, data);
    str_append(out, "</script>\n");
}
