/* The icicle of a comparison: a box is as wide as what the side that takes longer has at it and below it. Red is what
 * surely takes more in B, blue what takes less, the stronger the more of all such changes lies there. Nodes that have
 * just what the one above them has share its box. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/kit/json_parts.h"
#include "report/stacks/compare_html_parts.h"
#include "report/stacks/stacks_report.h"

enum {
    ROW_PIXELS = 26,
    NAME_COLUMNS = 1000,
    LABEL_COLUMNS = 120,
    LEAST_HEAT = 25,
    MOST_BOXES = 4000
};

#define LEAST_DRAWN 0.3 /* percent of the view: less is a sliver of a few pixels */
#define SAME 0.99       /* of the box above: a box that is as wide tells nothing new */
#define LINK " \u203a "

struct box {
    double weight;      /* ns a unit */
    double told;        /* what surely changed at it and below it: more less less */
    double left, width; /* percent of the page */
    uint32_t depth;
    uint32_t first;  /* node that the box begins with */
    uint32_t face;   /* node that it ends with, whose figures it has */
    uint32_t number; /* 1 + its place among those that the script knows, or 0 */
};

struct icicle {
    const struct stacks_compare *told;
    const struct laid_tree *laid;
    const struct tree_changes *changes;
    struct box *boxes; /* by node */
    uint32_t *order;   /* nodes, by parent, the widest first */
    double most;       /* of `told` */
    uint32_t depth;
};

/* ---- how wide they are ---- */

static const struct node_change *change_of(const struct icicle *icicle, uint32_t node)
{
    uint32_t change = icicle->laid->nodes[node].change;
    return change == CONTEXT_NONE ? NULL : &icicle->changes->items[change];
}

static void weigh(struct icicle *icicle)
{
    for (size_t n = icicle->laid->count; n-- > 0;) {
        struct box *box = &icicle->boxes[n];
        const struct node_change *change = change_of(icicle, (uint32_t)n);
        if (change) {
            box->weight += fmax(change->own[0], change->own[1]);
            box->told += change->told ? change->change : 0;
        }
        icicle->most = fmax(icicle->most, fabs(box->told));
        if (n) {
            icicle->boxes[icicle->laid->nodes[n].parent].weight += box->weight;
            icicle->boxes[icicle->laid->nodes[n].parent].told += box->told;
        }
    }
}

struct ordered {
    uint32_t parent, node;
    double weight;
};

static int child_order(const void *a, const void *b)
{
    const struct ordered *p = a, *q = b;
    if (p->parent != q->parent)
        return p->parent < q->parent ? -1 : 1;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

/* Parents have smaller numbers, and so are placed before their children are. */
static void order_nodes(struct icicle *icicle)
{
    size_t count = icicle->laid->count;
    struct ordered *all = memory_alloc(sizeof *all * count);
    icicle->order = memory_alloc(sizeof *icicle->order * count);
    for (uint32_t n = 1; n < count; n++)
        all[n - 1] = (struct ordered){icicle->laid->nodes[n].parent, n, icicle->boxes[n].weight};
    if (count > 1)
        qsort(all, count - 1, sizeof *all, child_order);
    for (size_t i = 0; i + 1 < count; i++)
        icicle->order[i] = all[i].node;
    memory_free(all);
}

static enum frame_kind layer_of(const struct icicle *icicle, uint32_t node)
{
    const struct context_frame *frame = compare_frame(icicle->told, node);
    return frame ? frame->kind : FRAME_NONE;
}

static bool shares_box(const struct icicle *icicle, uint32_t node, uint32_t above)
{
    const struct box *box = &icicle->boxes[node],
                     *first = &icicle->boxes[icicle->boxes[above].first];
    return icicle->laid->nodes[node].depth > 2 && box->width > 0 &&
           box->width >= SAME * first->width && layer_of(icicle, node) == layer_of(icicle, above) &&
           layer_of(icicle, node) != FRAME_NONE;
}

static void place_box(struct icicle *icicle, uint32_t node, double left)
{
    uint32_t above = icicle->laid->nodes[node].parent;
    struct box *box = &icicle->boxes[node], *parent = &icicle->boxes[above];
    box->left = left;
    box->width = parent->weight > 0 ? box->weight * parent->width / parent->weight : 0;
    box->first = box->face = node;
    box->depth = icicle->boxes[parent->first].depth + 1;
    if (shares_box(icicle, node, above)) {
        box->first = parent->first;
        box->depth--;
        icicle->boxes[box->first].face = node;
    }
    if (box->width >= LEAST_DRAWN && box->depth > icicle->depth)
        icicle->depth = box->depth;
}

static void place_all(struct icicle *icicle)
{
    icicle->boxes[CONTEXT_ROOT].width = 100;
    double at = 0;
    for (size_t i = 0; i + 1 < icicle->laid->count; i++) {
        uint32_t node = icicle->order[i], parent = icicle->laid->nodes[node].parent;
        if (!i || icicle->laid->nodes[icicle->order[i - 1]].parent != parent)
            at = icicle->boxes[parent].left;
        place_box(icicle, node, at);
        at += icicle->boxes[node].width;
    }
}

/* In order of nodes, so that parents come first. */
static uint32_t number_boxes(struct icicle *icicle, double least)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < icicle->laid->count; n++) {
        struct box *box = &icicle->boxes[n];
        bool above = n == CONTEXT_ROOT || icicle->boxes[icicle->laid->nodes[n].parent].number;
        if (box->first != n)
            box->number = icicle->boxes[box->first].number;
        else
            box->number = above && box->width > 0 && box->width >= least ? ++count : 0;
    }
    return count;
}

static void icicle_init(struct icicle *icicle, const struct stacks_compare *told)
{
    *icicle = (struct icicle){
        .told = told, .laid = &told->comparison->laid, .changes = &told->comparison->changes};
    icicle->boxes = memory_zeroed(sizeof *icicle->boxes * icicle->laid->count);
    weigh(icicle);
    order_nodes(icicle);
    place_all(icicle);
    for (double least = 0; number_boxes(icicle, least) > MOST_BOXES;)
        least = least > 0 ? 2 * least : LEAST_DRAWN / 1024;
}

static void icicle_release(struct icicle *icicle)
{
    memory_free(icicle->boxes);
    memory_free(icicle->order);
}

/* ---- what a box says ---- */

static const char *class_of(const struct icicle *icicle, uint32_t node)
{
    double told = icicle->boxes[node].told;
    return told > 0 ? "more" : told < 0 ? "less" : "same";
}

static unsigned heat_of(const struct icicle *icicle, uint32_t node)
{
    double part = icicle->most > 0 ? fabs(icicle->boxes[node].told) / icicle->most : 0;
    return part > 0 ? LEAST_HEAT + (unsigned)lround((100 - LEAST_HEAT) * part) : 0;
}

static void write_names(const struct icicle *icicle, uint32_t node, size_t columns, struct str *out)
{
    const struct box *box = &icicle->boxes[node];
    struct str name = {0};
    compare_node_name(icicle->told, box->face, &name);
    if (box->face != node) {
        struct str first = {0};
        compare_node_name(icicle->told, node, &first);
        utf8_fit(out, first.data, columns / 2, true);
        str_append(out, icicle->laid->nodes[box->face].parent == node ? LINK : LINK "\u2026" LINK);
        str_release(&first);
    }
    utf8_fit(out, name.data, columns / 2, true);
    str_release(&name);
}

/* "+4.90 ms" of what surely changed; nothing where nothing did. */
static void write_weight(const struct icicle *icicle, uint32_t node, struct str *out)
{
    if (icicle->boxes[node].told != 0)
        compare_difference(icicle->boxes[node].told, true, out);
}

/* In words, as colours alone tell nothing to some. */
static void write_words(const struct icicle *icicle, uint32_t node, struct str *out)
{
    double told = icicle->boxes[node].told;
    if (told == 0) {
        str_append(out, "nothing surely changed");
        return;
    }
    str_printf(out, "%s takes ", compare_side(icicle->told, 1));
    str_printf(out, "%s %s", number_ns(fabs(told), true).text, told > 0 ? "more" : "less");
}

static void write_box(const struct icicle *icicle, uint32_t node, struct str *out)
{
    const struct box *box = &icicle->boxes[node];
    struct str label = {0}, words = {0}, weight = {0};
    write_names(icicle, node, LABEL_COLUMNS, &label);
    write_words(icicle, box->face, &words);
    write_weight(icicle, box->face, &weight);
    str_printf(out,
               "<button type=\"button\" role=\"treeitem\" class=\"box %s\" data-n=\"%u\" "
               "aria-level=\"%u\" tabindex=\"%d\" aria-label=\"",
               class_of(icicle, box->face), box->number - 1, box->depth + 1, node ? -1 : 0);
    html_escape(out, str_text(&label));
    str_printf(out, ", %s\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%u%%\"><span><bdi>",
               str_text(&words), box->left, box->width, box->depth * ROW_PIXELS,
               heat_of(icicle, box->face));
    html_escape(out, str_text(&label));
    str_printf(out, "</bdi> <b>%s</b></span></button>\n", str_text(&weight));
    str_release(&label);
    str_release(&words);
    str_release(&weight);
}

/* ---- for the script ---- */

static void push_text(struct intern *texts, json_t *array, const char *text)
{
    json_push(array, json_count(intern_add(texts, text)));
}

static void push_str(struct intern *texts, json_t *array, struct str *text)
{
    push_text(texts, array, str_text(text));
    str_release(text);
}

/* "0.10 ms, now 5.02 ms: +4.92 ms (+4.70 ms .. +5.10 ms)" */
static void push_change(struct intern *texts, json_t *facts, double a, double b,
                        const double ci95[2])
{
    struct str text = {0};
    str_printf(&text, "%s \u2192 ", number_ns(a, true).text);
    str_printf(&text, "%s: ", number_ns(b, true).text);
    compare_difference(b - a, true, &text);
    if (isfinite(ci95[0])) {
        str_append(&text, " (");
        compare_interval(ci95, true, &text);
        str_append(&text, ")");
    }
    push_str(texts, facts, &text);
}

static const char *const fact_labels[] = {"layer",          "in",   "surely", "own",
                                          "with all below", "it is"};

/* In the order of fact_labels. */
static void push_facts(const struct icicle *icicle, struct intern *texts, json_t *facts,
                       uint32_t node)
{
    const struct laid_node *laid = &icicle->laid->nodes[node];
    const struct node_change *change = change_of(icicle, node);
    const struct context_frame *frame = compare_frame(icicle->told, node);
    const double below[2] = {laid->below.change - laid->below.half,
                             laid->below.change + laid->below.half};
    struct str words = {0};
    bool function = frame && frame->kind != FRAME_NONE;
    write_words(icicle, node, &words);
    push_text(texts, facts, function ? stacks_layer_name(frame->kind) : "");
    push_text(texts, facts, function ? frame->object : "");
    push_str(texts, facts, &words);
    if (change)
        push_change(texts, facts, change->own[0], change->own[1], change->ci95);
    else
        push_text(texts, facts, "");
    push_change(texts, facts, laid->below.own[0], laid->below.own[1], below);
    push_text(texts, facts,
              laid->node[0] == CONTEXT_NONE   ? "new: the first side does not have it"
              : laid->node[1] == CONTEXT_NONE ? "gone: the second side does not have it"
                                              : "");
}

static json_t *box_json(const struct icicle *icicle, struct intern *texts, uint32_t node)
{
    const struct box *box = &icicle->boxes[node];
    uint32_t above = icicle->laid->nodes[node].parent;
    json_t *fields = json_array();
    struct str name = {0}, label = {0}, weight = {0};
    write_names(icicle, node, NAME_COLUMNS, &name);
    write_names(icicle, node, LABEL_COLUMNS, &label);
    write_weight(icicle, box->face, &weight);
    push_str(texts, fields, &name);
    push_str(texts, fields, &label);
    json_push(fields, node ? json_count(icicle->boxes[above].number - 1) : json_null());
    json_push(fields, json_integer(llround(box->left * 1e7)));
    json_push(fields, json_integer(llround(box->width * 1e7)));
    json_push(fields, json_count(heat_of(icicle, box->face)));
    json_push(fields, json_count(0));
    push_str(texts, fields, &weight);
    push_facts(icicle, texts, fields, box->face);
    return fields;
}

static json_t *look_json(const struct icicle *icicle, uint32_t face)
{
    json_t *look = json_array();
    json_push(look, json_text(class_of(icicle, face)));
    json_push(look, json_count(100));
    return look;
}

/* As report.js reads an icicle. */
static void write_data(const struct icicle *icicle, struct str *out)
{
    json_t *object = json_object(), *labels = json_array(), *boxes = json_array(),
           *looks = json_array(), *all = json_array();
    struct intern texts = {0};
    for (size_t i = 0; i < sizeof fact_labels / sizeof *fact_labels; i++)
        json_push(labels, json_text(fact_labels[i]));
    for (uint32_t n = 0; n < icicle->laid->count; n++) {
        if (!icicle->boxes[n].number || icicle->boxes[n].first != n)
            continue;
        json_push(boxes, box_json(icicle, &texts, n));
        json_push(looks, look_json(icicle, icicle->boxes[n].face));
    }
    for (uint32_t i = 0; i < texts.count; i++)
        json_push(all, json_text(texts.text[i]));
    json_set(object, "texts", all);
    json_set(object, "labels", labels);
    json_set(object, "row", json_count(ROW_PIXELS));
    json_set(object, "least", json_number(LEAST_DRAWN / 100));
    json_set(object, "boxes", boxes);
    json_set(object, "looks", looks);
    str_append(out, "<script type=\"application/json\" id=\"icicle-data\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    intern_release(&texts);
}

void html_compare_icicle(const struct stacks_compare *told, struct str *out)
{
    struct icicle icicle;
    icicle_init(&icicle, told);
    str_printf(out,
               "<section id=\"icicle-part\"><h2>Where it changed</h2><p class=\"sub\">Width: time "
               "of a %s, of the side that takes longer. The first row: groups of threads. A click "
               "opens a context.</p>\n",
               compare_unit_name(told));
    html_icicle_tools(out);
    str_printf(out,
               "<div id=\"icicle\" role=\"tree\" aria-label=\"Where it changed\" "
               "style=\"height:%upx\">\n",
               (icicle.depth + 1) * ROW_PIXELS);
    for (uint32_t n = 0; n < icicle.laid->count; n++)
        if (icicle.boxes[n].number && icicle.boxes[n].first == n &&
            icicle.boxes[n].width >= LEAST_DRAWN)
            write_box(&icicle, n, out);
    str_append(out, "</div>\n<p class=\"note legend\"><span><i class=\"swatch more\"></i> surely "
                    "takes more</span> <span><i class=\"swatch less\"></i> surely takes "
                    "less</span> <span><i class=\"swatch same\"></i> nothing surely "
                    "changed</span></p>\n");
    write_data(&icicle, out);
    str_append(out, "</section>\n");
    icicle_release(&icicle);
}
