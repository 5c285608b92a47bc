/* The icicle: a box is as wide as its part of the time of all threads. Its colour is its layer; what it was off is
 * hatched. Nodes of one layer that have just what the one above them has share its box. */
#include <math.h>

#include "base/number.h"
#include "report/kit/icicle.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_html_parts.h"

enum { HEAT = 70 };

/* A part of the time off that is less is not told (chosen). */
#define LEAST_REASON 0.02

/* The tree of the icicle. */
struct contexts {
    const struct stacks *stacks;
    const struct context_times *times;
    struct child_order order;
};

static const struct contexts *contexts_of(const struct icicle *icicle)
{
    return icicle->tree;
}

static uint32_t parent_of(const struct icicle *icicle, uint32_t node)
{
    return contexts_of(icicle)->times->fold.tree.nodes[node].parent;
}

static double time_of(const struct contexts *contexts, uint32_t node)
{
    return (double)context_time_total(&contexts->times->sums[node]);
}

static enum frame_kind layer_of(const struct contexts *contexts, uint32_t node)
{
    const struct context_tree *tree = &contexts->times->fold.tree;
    return node == CONTEXT_ROOT ? FRAME_NONE : tree->frames[tree->nodes[node].frame].kind;
}

static void place_children(struct icicle *icicle, uint32_t parent)
{
    const struct contexts *contexts = contexts_of(icicle);
    const struct child_order *order = &contexts->order;
    const struct icicle_box *box = &icicle->boxes[parent];
    double at = box->left, whole = time_of(contexts, parent);
    for (uint32_t i = order->first[parent]; i < order->first[parent + 1]; i++) {
        struct icicle_box *child = &icicle->boxes[order->items[i]];
        child->left = at;
        child->width = whole > 0 ? time_of(contexts, order->items[i]) * box->width / whole : 0;
        at += child->width;
    }
}

static bool joins_box(const struct icicle *icicle, uint32_t node)
{
    const struct contexts *contexts = contexts_of(icicle);
    uint32_t above = parent_of(icicle, node);
    return contexts->times->fold.tree.nodes[node].depth > 2 &&
           layer_of(contexts, node) == layer_of(contexts, above) &&
           context_fold_is(&contexts->times->fold, above) == CONTEXT_SPECIALS;
}

/* ---- what a box says ---- */

static void write_name(const struct icicle *icicle, uint32_t node, struct str *out)
{
    stacks_node_name(contexts_of(icicle)->stacks, node, true, out);
}

static double part_of_all(const struct contexts *contexts, double time)
{
    double all = time_of(contexts, CONTEXT_ROOT);
    return all > 0 ? time / all : 0;
}

static const char *class_of(const struct contexts *contexts, uint32_t node)
{
    return stacks_layer_name(layer_of(contexts, node));
}

/* Of what is solid: it ran. */
static unsigned solid_percent(const struct contexts *contexts, uint32_t node)
{
    const struct context_sum *sum = &contexts->times->sums[node];
    double all = time_of(contexts, node);
    return all > 0 ? (unsigned)lround(100 * (double)sum->total[TIME_RAN] / all) : 0;
}

static struct icicle_look look_of(const struct icicle *icicle, uint32_t face)
{
    const struct contexts *contexts = contexts_of(icicle);
    const char *layer = class_of(contexts, face);
    return (struct icicle_look){
        .kind = layer,
        .class = layer,
        .weight = number_percent_short(part_of_all(contexts, time_of(contexts, face))),
        .heat = HEAT,
        .solid = (int)solid_percent(contexts, face)};
}

/* "3.20 s, 12.0 % +- 1.2" */
static void push_time(const struct contexts *contexts, struct intern *texts, json_t *facts,
                      time_ns time, double variance)
{
    struct str text = {0};
    double all = time_of(contexts, CONTEXT_ROOT);
    if (time > 0) {
        str_printf(&text, "%s, ", number_ns((double)time, true).text);
        str_append(&text, number_percent(part_of_all(contexts, (double)time)).text);
        if (variance > 0 && all > 0)
            str_printf(&text, " \u00b1 %s", number_points(1.96 * sqrt(variance) / all).text);
    }
    icicle_push(texts, facts, str_text(&text));
    str_release(&text);
}

static void push_reasons(const struct contexts *contexts, struct intern *texts, json_t *facts,
                         uint32_t node)
{
    size_t count;
    struct str text = {0};
    const struct context_reason *reasons = context_reasons_of(contexts->times, node, &count);
    double off = (double)contexts->times->sums[node].total[TIME_OFF];
    for (size_t i = 0; i < count && i < 4; i++) {
        if ((double)reasons[i].total < LEAST_REASON * off)
            break;
        str_printf(&text, "%s%s ", i ? "; " : "",
                   number_percent_short((double)reasons[i].total / off).text);
        stacks_reason_name(contexts->stacks, reasons[i].reason, &text);
    }
    icicle_push(texts, facts, str_text(&text));
    str_release(&text);
}

static void push_place(const struct contexts *contexts, struct intern *texts, json_t *facts,
                       uint32_t node)
{
    const struct context_tree *tree = &contexts->times->fold.tree;
    struct str place = {0};
    if (tree->nodes[node].depth > 1 && layer_of(contexts, node) != FRAME_NONE) {
        const struct context_frame *frame = &tree->frames[tree->nodes[node].frame];
        str_append(&place, frame->object);
        if (*frame->file)
            str_printf(&place, ", %s", frame->file);
        if (frame->line)
            str_printf(&place, ":%u", frame->line);
    }
    icicle_push(texts, facts, str_text(&place));
    str_release(&place);
}

static const char *const fact_labels[] = {"layer",           "in", "ran", "off", "waits for", "own",
                                          "samples, stacks", NULL};

/* In the order of fact_labels. */
static void push_facts(const struct icicle *icicle, uint32_t face, struct intern *texts,
                       json_t *facts)
{
    const struct contexts *contexts = contexts_of(icicle);
    const struct context_sum *sum = &contexts->times->sums[face];
    struct str seen = {0};
    str_printf(&seen, "%s, ", number_count(sum->samples).text);
    str_append(&seen, number_count(sum->stacks).text);
    icicle_push(texts, facts,
                layer_of(contexts, face) == FRAME_NONE ? "" : class_of(contexts, face));
    push_place(contexts, texts, facts, face);
    push_time(contexts, texts, facts, sum->total[TIME_RAN], sum->variance[TIME_RAN]);
    push_time(contexts, texts, facts, sum->total[TIME_OFF], sum->variance[TIME_OFF]);
    push_reasons(contexts, texts, facts, face);
    push_time(contexts, texts, facts, context_time_own(sum), 0);
    icicle_push(texts, facts, seen.data);
    str_release(&seen);
}

static const struct icicle_family family = {.parent = parent_of,
                                            .place = place_children,
                                            .joins = joins_box,
                                            .name = write_name,
                                            .look = look_of,
                                            .facts = push_facts};

/* Beside what all icicles have: weights in ns, by box. */
static void write_data(const struct icicle *icicle, struct str *out)
{
    const struct contexts *contexts = contexts_of(icicle);
    json_t *data = icicle_data(icicle), *ran = json_array(), *off = json_array();
    for (uint32_t n = 0; n < icicle->count; n++) {
        if (!icicle_is_told(icicle, n) || !icicle_begins_box(icicle, n))
            continue;
        const struct context_sum *sum = &contexts->times->sums[icicle->boxes[n].face];
        json_push(ran, json_integer((json_int_t)sum->total[TIME_RAN]));
        json_push(off, json_integer((json_int_t)sum->total[TIME_OFF]));
    }
    json_set(data, "ran", ran);
    json_set(data, "off", off);
    icicle_write_data(data, out);
}

static void write_legend(const struct icicle *icicle, struct str *out)
{
    uint32_t untold = 0;
    for (uint32_t n = 0; n < icicle->count; n++)
        untold += !icicle_is_told(icicle, n) && time_of(contexts_of(icicle), n) > 0;
    str_append(out,
               "<p class=\"note legend\"><span><i class=\"swatch program\"></i> program</span> "
               "<span><i class=\"swatch library\"></i> libraries</span> <span><i class=\"swatch "
               "kernel\"></i> kernel</span> <span><i class=\"swatch none\"></i> no "
               "function</span> <span><i class=\"swatch off\"></i> hatched: off a "
               "processor</span>");
    if (untold)
        str_printf(out, " <span>%s lesser contexts are in stacks.json alone.</span>",
                   number_count(untold).text);
    str_append(out, "</p>\n");
}

void html_stacks_icicle(const struct stacks_page *page, struct str *out)
{
    struct contexts contexts = {.stacks = page->stacks, .times = &page->stacks->times};
    struct icicle icicle = {.family = &family,
                            .tree = &contexts,
                            .count = (uint32_t)contexts.times->fold.tree.count,
                            .labels = fact_labels};
    context_order_init(&contexts.order, contexts.times);
    icicle_place(&icicle, STACKS_MOST_BOXES);
    str_append(out,
               "<section id=\"icicle-part\"><h2>Where the time of threads went</h2><p "
               "class=\"sub\">Width: part of the time of all threads. The first row: groups of "
               "threads, those that ran longest first. A click opens a context.</p>\n"
               "<div class=\"tools\" id=\"weights\" hidden><span>Width:</span></div>\n");
    html_icicle_tools(out);
    icicle_write_boxes(&icicle, "Where the time of threads went", out);
    write_legend(&icicle, out);
    write_data(&icicle, out);
    str_append(out, "</section>\n");
    icicle_release(&icicle);
    child_order_release(&contexts.order);
}
