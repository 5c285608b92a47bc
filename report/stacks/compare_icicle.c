/* The icicle of a comparison: a box is as wide as what the side that takes longer has at it and below it. Red is what
 * surely takes more in B, blue what takes less, the stronger the more of all such changes lies there. Nodes of one layer
 * that have just what the one above them has share its box. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/kit/child_order.h"
#include "report/kit/icicle.h"
#include "report/kit/json_parts.h"
#include "report/stacks/compare_html_parts.h"
#include "report/stacks/stacks_page.h"
#include "report/stacks/stacks_report.h"

enum { LEAST_HEAT = 25 };

struct weighed {
    double weight; /* ns a unit */
    double told;   /* what surely changed at it and below it: more less less */
};

/* The tree of the icicle. */
struct changed {
    const struct stacks_compare *told;
    const struct laid_tree *laid;
    const struct tree_changes *changes;
    struct weighed *nodes;
    struct child_order order;
    double most; /* of `told` */
};

static const struct changed *changed_of(const struct icicle *icicle)
{
    return icicle->tree;
}

/* ---- how wide they are ---- */

static const struct node_change *change_of(const struct changed *changed, uint32_t node)
{
    uint32_t change = changed->laid->nodes[node].change;
    return change == CONTEXT_NONE ? NULL : &changed->changes->items[change];
}

/* Children come after their parents. */
static void weigh(struct changed *changed)
{
    for (size_t n = changed->laid->count; n-- > 0;) {
        struct weighed *node = &changed->nodes[n];
        const struct node_change *change = change_of(changed, (uint32_t)n);
        if (change) {
            node->weight += fmax(change->own[0], change->own[1]);
            node->told += change->told ? change->change : 0;
        }
        changed->most = fmax(changed->most, fabs(node->told));
        if (n) {
            changed->nodes[changed->laid->nodes[n].parent].weight += node->weight;
            changed->nodes[changed->laid->nodes[n].parent].told += node->told;
        }
    }
}

static void order(struct changed *changed)
{
    uint32_t count = (uint32_t)changed->laid->count;
    struct child *children = memory_alloc((count + 1) * sizeof *children);
    for (uint32_t n = 1; n < count; n++)
        children[n - 1] =
            (struct child){changed->laid->nodes[n].parent, n, changed->nodes[n].weight};
    child_order_init(&changed->order, count, children, count ? count - 1 : 0);
    memory_free(children);
}

static uint32_t parent_of(const struct icicle *icicle, uint32_t node)
{
    return changed_of(icicle)->laid->nodes[node].parent;
}

static void place_children(struct icicle *icicle, uint32_t parent)
{
    const struct changed *changed = changed_of(icicle);
    const struct icicle_box *box = &icicle->boxes[parent];
    double at = box->left, whole = changed->nodes[parent].weight;
    for (uint32_t i = changed->order.first[parent]; i < changed->order.first[parent + 1]; i++) {
        uint32_t node = changed->order.items[i];
        struct icicle_box *child = &icicle->boxes[node];
        child->left = at;
        child->width = whole > 0 ? changed->nodes[node].weight * box->width / whole : 0;
        at += child->width;
    }
}

static enum frame_kind layer_of(const struct changed *changed, uint32_t node)
{
    const struct context_frame *frame = compare_frame(changed->told, node);
    return frame ? frame->kind : FRAME_NONE;
}

static bool joins_box(const struct icicle *icicle, uint32_t node)
{
    const struct changed *changed = changed_of(icicle);
    enum frame_kind layer = layer_of(changed, node);
    return changed->laid->nodes[node].depth > 2 && layer != FRAME_NONE &&
           layer == layer_of(changed, parent_of(icicle, node));
}

/* ---- what a box says ---- */

static void write_name(const struct icicle *icicle, uint32_t node, struct str *out)
{
    compare_node_name(changed_of(icicle)->told, node, out);
}

static const char *class_of(const struct changed *changed, uint32_t node)
{
    double told = changed->nodes[node].told;
    return told > 0 ? "more" : told < 0 ? "less" : "same";
}

/* As colours alone tell nothing to some. */
static const char *kind_of(const struct changed *changed, uint32_t node)
{
    double told = changed->nodes[node].told;
    return told > 0   ? "surely takes more"
           : told < 0 ? "surely takes less"
                      : "nothing surely changed";
}

static unsigned heat_of(const struct changed *changed, uint32_t node)
{
    double part = changed->most > 0 ? fabs(changed->nodes[node].told) / changed->most : 0;
    return part > 0 ? LEAST_HEAT + (unsigned)lround((100 - LEAST_HEAT) * part) : 0;
}

/* "+4.90 ms" of what surely changed; nothing where nothing did. */
static struct number weight_of(const struct changed *changed, uint32_t node)
{
    struct number weight = {""};
    struct str text = {0};
    if (changed->nodes[node].told != 0)
        compare_difference(changed->nodes[node].told, true, &text);
    snprintf(weight.text, sizeof weight.text, "%s", str_text(&text));
    str_release(&text);
    return weight;
}

static struct icicle_look look_of(const struct icicle *icicle, uint32_t face)
{
    const struct changed *changed = changed_of(icicle);
    return (struct icicle_look){.kind = kind_of(changed, face),
                                .class = class_of(changed, face),
                                .weight = weight_of(changed, face),
                                .heat = heat_of(changed, face),
                                .solid = -1};
}

/* "B takes 4.90 ms more" */
static void push_surely(const struct changed *changed, struct intern *texts, json_t *facts,
                        uint32_t node)
{
    struct str words = {0};
    double told = changed->nodes[node].told;
    if (told != 0)
        str_printf(&words, "%s takes %s %s", compare_side(changed->told, 1),
                   number_ns(fabs(told), true).text, told > 0 ? "more" : "less");
    icicle_push(texts, facts, words.length ? words.data : kind_of(changed, node));
    str_release(&words);
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
    icicle_push(texts, facts, str_text(&text));
    str_release(&text);
}

static const char *const fact_labels[] = {"layer",          "in",    "surely", "own",
                                          "with all below", "it is", NULL};

/* In the order of fact_labels. */
static void push_facts(const struct icicle *icicle, uint32_t face, struct intern *texts,
                       json_t *facts)
{
    const struct changed *changed = changed_of(icicle);
    const struct laid_node *laid = &changed->laid->nodes[face];
    const struct node_change *change = change_of(changed, face);
    const struct context_frame *frame = compare_frame(changed->told, face);
    const double below[2] = {laid->below.change - laid->below.half,
                             laid->below.change + laid->below.half};
    bool function = frame && frame->kind != FRAME_NONE;
    icicle_push(texts, facts, function ? stacks_layer_name(frame->kind) : "");
    icicle_push(texts, facts, function ? frame->object : "");
    push_surely(changed, texts, facts, face);
    if (change)
        push_change(texts, facts, change->own[0], change->own[1], change->ci95);
    else
        icicle_push(texts, facts, "");
    push_change(texts, facts, laid->below.own[0], laid->below.own[1], below);
    icicle_push(texts, facts,
                laid->node[0] == CONTEXT_NONE   ? "new: the first side does not have it"
                : laid->node[1] == CONTEXT_NONE ? "gone: the second side does not have it"
                                                : "");
}

static const struct icicle_family family = {.parent = parent_of,
                                            .place = place_children,
                                            .joins = joins_box,
                                            .name = write_name,
                                            .look = look_of,
                                            .facts = push_facts};

void html_compare_icicle(const struct stacks_compare *told, struct str *out)
{
    struct changed changed = {
        .told = told, .laid = &told->comparison->laid, .changes = &told->comparison->changes};
    struct icicle icicle = {.family = &family,
                            .tree = &changed,
                            .count = (uint32_t)changed.laid->count,
                            .labels = fact_labels};
    changed.nodes = memory_zeroed((changed.laid->count + 1) * sizeof *changed.nodes);
    weigh(&changed);
    order(&changed);
    icicle_place(&icicle, STACKS_MOST_BOXES);
    str_printf(out,
               "<section id=\"icicle-part\"><h2>Where it changed</h2><p class=\"sub\">Width: time "
               "of a %s, of the side that takes longer. The first row: groups of threads. A click "
               "opens a context.</p>\n",
               compare_unit_name(told));
    html_icicle_tools(out);
    icicle_write_boxes(&icicle, "Where it changed", out);
    str_append(out, "<p class=\"note legend\"><span><i class=\"swatch more\"></i> surely takes "
                    "more</span> <span><i class=\"swatch less\"></i> surely takes less</span> "
                    "<span><i class=\"swatch same\"></i> nothing surely changed</span></p>\n");
    icicle_write_data(icicle_data(&icicle), out);
    str_append(out, "</section>\n");
    icicle_release(&icicle);
    child_order_release(&changed.order);
    memory_free(changed.nodes);
}
