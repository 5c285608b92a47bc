#include "report/html_parts.h"

#include <math.h>

#include "base/memory.h"
#include "report/headline.h"
#include "report/json_parts.h"
#include "report/number.h"
#include "report/outline.h"

enum { MOST_BOXES = 3000, ROW_PIXELS = 26 };

#define LEAST_TALL 0.5 /* percent: narrower boxes do not make the picture taller; see report.js */

struct box {
    double left, width; /* percent of the page */
    uint32_t depth;
    uint32_t drawn; /* 1 + its number among the drawn ones, or 0 */
    double heat;    /* weight that no function below it explains, 0 to 1 */
};

struct icicle {
    const struct variance_tree *tree;
    struct outline outline;
    struct box *boxes;
    double least; /* percent: what is narrower is not drawn */
    uint32_t drawn;
    uint32_t depth;
};

/* What cancels has no width; then its siblings together are wider than their parent, and shrink. */
static void place_children(struct icicle *icicle, uint32_t parent)
{
    const struct outline_list *list = &icicle->outline.lists[parent];
    const struct box *box = &icicle->boxes[parent];
    double sum = 0, own = outline_weight(icicle->tree, parent), at = box->left;
    for (uint32_t i = 0; i < list->count; i++)
        sum += fmax(outline_weight(icicle->tree, list->nodes[i]), 0);
    double whole = fmax(sum, own);
    double scale = whole > 0 ? box->width / whole : 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct box *child = &icicle->boxes[list->nodes[i]];
        child->left = at;
        child->width = fmax(outline_weight(icicle->tree, list->nodes[i]), 0) * scale;
        child->depth = box->depth + 1;
        at += child->width;
    }
}

static bool explains(const struct tree_node *child)
{
    return child->kind != NODE_WOKEN_BY && child->kind != NODE_FOR_ANOTHER &&
           child->kind != NODE_WAIT && child->kind != NODE_IO;
}

static double heat(const struct icicle *icicle, uint32_t index)
{
    const struct outline_list *list = &icicle->outline.lists[index];
    double own = outline_weight(icicle->tree, index);
    for (uint32_t i = 0; i < list->count; i++)
        if (explains(&icicle->tree->nodes[list->nodes[i]]))
            own -= fmax(outline_weight(icicle->tree, list->nodes[i]), 0);
    return fmin(fmax(own, 0), 1);
}

static void number_drawn(struct icicle *icicle)
{
    icicle->drawn = icicle->depth = 0;
    for (uint32_t i = 0; i < icicle->tree->node_count; i++) {
        struct box *box = &icicle->boxes[i];
        bool parent_drawn = i == 0 || icicle->boxes[icicle->tree->nodes[i].parent].drawn;
        bool drawn = parent_drawn && (i == 0 || box->width >= icicle->least);
        box->drawn = drawn ? ++icicle->drawn : 0;
        if (drawn && box->width >= LEAST_TALL && box->depth > icicle->depth)
            icicle->depth = box->depth;
    }
}

static void icicle_init(struct icicle *icicle, const struct variance_tree *tree)
{
    *icicle = (struct icicle){.tree = tree, .least = 0.02};
    outline_init(&icicle->outline, tree, 0);
    icicle->boxes = memory_zeroed(sizeof *icicle->boxes * tree->node_count);
    icicle->boxes[0] = (struct box){.width = 100};
    for (uint32_t i = 0; i < tree->node_count; i++) {
        place_children(icicle, i);
        icicle->boxes[i].heat = heat(icicle, i);
    }
    for (number_drawn(icicle); icicle->drawn > MOST_BOXES; number_drawn(icicle))
        icicle->least *= 2;
}

static void icicle_release(struct icicle *icicle)
{
    outline_release(&icicle->outline);
    memory_free(icicle->boxes);
}

static void write_box(const struct icicle *icicle, uint32_t index, struct str *out)
{
    const struct tree_node *node = &icicle->tree->nodes[index];
    const struct box *box = &icicle->boxes[index];
    struct number weight = number_percent_short(outline_weight(icicle->tree, index));
    str_printf(out, "<button type=\"button\" class=\"box%s\" data-n=\"%u\" aria-label=\"",
               node->blamed ? " blamed" : "", box->drawn - 1);
    html_short(out, node->name, 200);
    str_printf(out, ", %s, %s\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%.1f%%\"><span>",
               node_kind_name(node->kind), weight.text, box->left, box->width,
               box->depth * ROW_PIXELS, 10 + 90 * sqrt(box->heat));
    html_short(out, node->name, 120);
    str_printf(out, " <b>%s</b></span></button>\n", weight.text);
}

static void push_text(json_t *array, const char *text)
{
    json_array_append_new(array, json_text(text));
}

/* In the order of "labels". */
static json_t *facts_json(const struct icicle *icicle, uint32_t index)
{
    const struct tree_node *node = &icicle->tree->nodes[index];
    uint64_t intervals = icicle->tree->intervals.count;
    char calls[32];
    json_t *facts = json_array();
    struct str place = {0};
    node_write_place(node, &place);
    snprintf(calls, sizeof calls, "%.3g", intervals ? (double)node->calls / (double)intervals : 0);
    push_text(facts, node_kind_name(node->kind));
    push_text(facts, str_text(&place));
    push_text(facts, number_percent(node->share).text);
    push_text(facts, number_percent(node->contribution).text);
    push_text(facts, number_percent(node->tail_share).text);
    push_text(facts, number_ns(node->mean_ns, true).text);
    push_text(facts, number_ns(sqrt(node->variance_ns2), true).text);
    push_text(facts, calls);
    str_release(&place);
    return facts;
}

static json_t *boxes_json(const struct icicle *icicle)
{
    json_t *boxes = json_array();
    for (uint32_t i = 0; i < icicle->tree->node_count; i++) {
        const struct box *box = &icicle->boxes[i];
        if (!box->drawn)
            continue;
        uint32_t parent = i ? icicle->boxes[icicle->tree->nodes[i].parent].drawn - 1 : 0;
        json_t *object = json_object();
        json_object_set_new(object, "name", json_text(icicle->tree->nodes[i].name));
        json_object_set_new(object, "parent", i ? json_integer(parent) : json_null());
        json_object_set_new(object, "left", json_number(box->left));
        json_object_set_new(object, "width", json_number(box->width));
        json_object_set_new(object, "blamed", json_boolean(icicle->tree->nodes[i].blamed));
        json_object_set_new(object, "facts", facts_json(icicle, i));
        json_array_append_new(boxes, object);
    }
    return boxes;
}

static void write_data(const struct icicle *icicle, struct str *out)
{
    static const char *const labels[] = {
        "kind", "where",  "share of variance", "contribution", "share of the tail",
        "mean", "\u03c3", "calls per interval"};
    json_t *object = json_object(), *names = json_array();
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        push_text(names, labels[i]);
    json_object_set_new(object, "labels", names);
    json_object_set_new(object, "boxes", boxes_json(icicle));
    str_append(out, "<script type=\"application/json\" id=\"icicle-data\">");
    html_json(out, object);
    str_append(out, "</script>\n");
}

static void write_legend(const struct variance_tree *tree, struct str *out)
{
    bool cancels = false, blamed = false;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        cancels = cancels || tree->nodes[i].share < -0.0005;
        blamed = blamed || tree->nodes[i].blamed;
    }
    str_append(out, "<p class=\"note\">The darker, the more of it no function below explains.");
    if (blamed)
        str_append(out,
                   " <i class=\"swatch blamed\"></i> Hatched: what the waker did meanwhile; it "
                   "explains the blocked call above, whose time it is.");
    if (cancels && outline_varies(tree))
        str_append(out, " What cancels out (a negative share) has no width: see the tree below.");
    str_append(out, " Click or press Enter to zoom, Esc to go back; arrow keys move.</p>\n");
}

void html_icicle(const struct report *report, struct str *out)
{
    const struct variance_tree *tree = report->tree;
    if (tree->node_count == 0 || tree->intervals.count == 0)
        return;
    struct icicle icicle;
    icicle_init(&icicle, tree);
    str_printf(out,
               "<section><h2>Where the %s is</h2><p class=\"sub\">Width = %s; the page's width is "
               "100 %%.</p>\n<div id=\"icicle\" style=\"height:%upx\">\n",
               outline_varies(tree) ? "variance" : "time",
               outline_varies(tree) ? "share of the latency's variance"
                                    : "part of the mean latency, as nothing varies",
               (icicle.depth + 1) * ROW_PIXELS);
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (icicle.boxes[i].drawn)
            write_box(&icicle, i, out);
    str_append(out, "</div>\n");
    write_legend(tree, out);
    write_data(&icicle, out);
    str_append(out, "</section>\n");
    icicle_release(&icicle);
}
