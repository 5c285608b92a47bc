/* The icicle: a box is as wide as its part of the time of all threads, and stands below what called it. Its colour is its
 * layer; what it was off is hatched. Nodes of one layer that have just what the one above them has share its box. */
#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_html_parts.h"

enum { ROW_PIXELS = 26, NAME_COLUMNS = 1000, LABEL_COLUMNS = 120, MOST_CHAIN = 60, HEAT = 70 };

#define LEAST_DRAWN 0.3 /* percent of the view: less is a sliver of a few pixels */
#define SAME 0.99       /* of the box above: a box that is as wide tells nothing new */
#define LINK " \u203a "
/* A part of the time off that is less is not told (chosen). */
#define LEAST_REASON 0.02

struct box {
    double left, width; /* percent of the page */
    uint32_t depth;
    uint32_t told;  /* 1 + its number among those that the script knows, or 0 */
    uint32_t first; /* node that the box begins with */
    uint32_t face;  /* node that it ends with, whose figures it has */
};

struct icicle {
    const struct stacks *stacks;
    const struct context_times *times;
    struct context_order order;
    struct box *boxes; /* by node */
    uint32_t told, depth;
};

static double time_of(const struct icicle *icicle, uint32_t node)
{
    return (double)context_time_total(&icicle->times->sums[node]);
}

static enum frame_kind layer_of(const struct icicle *icicle, uint32_t node)
{
    const struct context_tree *tree = &icicle->times->fold.tree;
    return node == CONTEXT_ROOT ? FRAME_NONE : tree->frames[tree->nodes[node].frame].kind;
}

static void place_children(struct icicle *icicle, uint32_t parent)
{
    const struct box *box = &icicle->boxes[parent];
    double at = box->left, whole = time_of(icicle, parent);
    for (uint32_t i = icicle->order.first[parent]; i < icicle->order.first[parent + 1]; i++) {
        struct box *child = &icicle->boxes[icicle->order.items[i]];
        child->left = at;
        child->width = whole > 0 ? time_of(icicle, icicle->order.items[i]) * box->width / whole : 0;
        at += child->width;
    }
}

static bool shares_box(const struct icicle *icicle, uint32_t node)
{
    uint32_t above = icicle->times->fold.tree.nodes[node].parent;
    return icicle->boxes[node].width > 0 && icicle->times->fold.tree.nodes[node].depth > 2 &&
           icicle->boxes[node].width >= SAME * icicle->boxes[icicle->boxes[above].first].width &&
           layer_of(icicle, node) == layer_of(icicle, above) &&
           context_fold_is(&icicle->times->fold, above) == CONTEXT_SPECIALS;
}

static void place_box(struct icicle *icicle, uint32_t node)
{
    struct box *box = &icicle->boxes[node];
    box->first = box->face = node;
    if (node == CONTEXT_ROOT)
        return;
    const struct box *above =
        &icicle->boxes[icicle->boxes[icicle->times->fold.tree.nodes[node].parent].first];
    box->depth = above->depth + 1;
    if (!shares_box(icicle, node))
        return;
    box->first = above->first;
    box->depth = above->depth;
    icicle->boxes[box->first].face = node;
}

static bool begins_box(const struct icicle *icicle, uint32_t node)
{
    return icicle->boxes[node].first == node;
}

static uint32_t number_told(struct icicle *icicle, double least)
{
    const struct context_node *nodes = icicle->times->fold.tree.nodes;
    icicle->told = 0;
    for (uint32_t n = 0; n < icicle->times->fold.tree.count; n++) {
        struct box *box = &icicle->boxes[n];
        bool above = n == CONTEXT_ROOT || icicle->boxes[nodes[n].parent].told;
        if (!begins_box(icicle, n))
            box->told = icicle->boxes[box->first].told;
        else
            box->told = above && box->width > 0 && box->width >= least ? ++icicle->told : 0;
    }
    return icicle->told;
}

static void icicle_init(struct icicle *icicle, const struct stacks *stacks)
{
    uint32_t count = (uint32_t)stacks->times.fold.tree.count;
    *icicle = (struct icicle){.stacks = stacks, .times = &stacks->times};
    context_order_init(&icicle->order, icicle->times);
    icicle->boxes = memory_zeroed(sizeof *icicle->boxes * count);
    icicle->boxes[CONTEXT_ROOT].width = 100;
    for (uint32_t n = 0; n < count; n++) {
        place_box(icicle, n);
        place_children(icicle, n);
        if (icicle->boxes[n].width >= LEAST_DRAWN && icicle->boxes[n].depth > icicle->depth)
            icicle->depth = icicle->boxes[n].depth;
    }
    for (double least = 0; number_told(icicle, least) > STACKS_MOST_BOXES;)
        least = least > 0 ? 2 * least : LEAST_DRAWN / 1024;
}

static void icicle_release(struct icicle *icicle)
{
    context_order_release(&icicle->order);
    memory_free(icicle->boxes);
}

/* ---- what a box says ---- */

/* Its nodes come from the last one to the first. */
static uint32_t nodes_of(const struct icicle *icicle, uint32_t node, uint32_t nodes[MOST_CHAIN])
{
    uint32_t count = 0;
    for (uint32_t n = icicle->boxes[node].face; count < MOST_CHAIN - 1 && n != node;
         n = icicle->times->fold.tree.nodes[n].parent)
        nodes[count++] = n;
    nodes[count++] = node;
    return count;
}

static void write_names(const struct icicle *icicle, uint32_t node, bool label, struct str *out)
{
    enum { MOST_LABELLED = 4 };
    uint32_t nodes[MOST_CHAIN], count = nodes_of(icicle, node, nodes);
    size_t columns = (label ? LABEL_COLUMNS : NAME_COLUMNS) / (count < 4 ? count : 4);
    for (uint32_t i = count; i-- > 0;) {
        bool left_out = label && count > MOST_LABELLED && i > 0 && i < count - 1;
        if (left_out && i < count - 2)
            continue;
        struct str name = {0};
        stacks_node_name(icicle->stacks, nodes[i], true, &name);
        str_append(out, i == count - 1 ? "" : LINK);
        if (left_out)
            str_append(out, "\u2026");
        else
            utf8_fit(out, name.data, columns, true);
        str_release(&name);
    }
}

static double part_of_all(const struct icicle *icicle, double time)
{
    double all = time_of(icicle, CONTEXT_ROOT);
    return all > 0 ? time / all : 0;
}

static const char *class_of(const struct icicle *icicle, uint32_t node)
{
    return stacks_layer_name(layer_of(icicle, node));
}

/* Of what is solid: it ran. */
static unsigned solid_percent(const struct icicle *icicle, uint32_t node)
{
    const struct context_sum *sum = &icicle->times->sums[node];
    double all = time_of(icicle, node);
    return all > 0 ? (unsigned)lround(100 * (double)sum->total[TIME_RAN] / all) : 0;
}

static void write_box(const struct icicle *icicle, uint32_t node, struct str *out)
{
    const struct box *box = &icicle->boxes[node];
    struct number weight = number_percent_short(part_of_all(icicle, time_of(icicle, box->face)));
    struct str label = {0};
    write_names(icicle, node, true, &label);
    str_printf(out,
               "<button type=\"button\" role=\"treeitem\" class=\"box %s\" data-n=\"%u\" "
               "aria-level=\"%u\" tabindex=\"%d\" aria-label=\"",
               class_of(icicle, box->face), box->told - 1, box->depth + 1, node ? -1 : 0);
    html_escape(out, str_text(&label));
    str_printf(out,
               ", %s, %s\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%d%%;--solid:%u%%\">"
               "<span><bdi>",
               class_of(icicle, box->face), weight.text, box->left, box->width,
               box->depth * ROW_PIXELS, HEAT, solid_percent(icicle, box->face));
    html_escape(out, str_text(&label));
    str_printf(out, "</bdi> <b>%s</b></span></button>\n", weight.text);
    str_release(&label);
}

/* A text is told by its place among the texts of all boxes, as most occur many times. */
static void push_text(struct intern *texts, json_t *array, const char *text)
{
    json_push(array, json_count(intern_add(texts, text)));
}

/* "3.20 s, 12.0 % +- 1.2" */
static void push_time(const struct icicle *icicle, struct intern *texts, json_t *facts,
                      time_ns time, double variance)
{
    struct str text = {0};
    double all = time_of(icicle, CONTEXT_ROOT);
    if (time > 0) {
        str_printf(&text, "%s, ", number_ns((double)time, true).text);
        str_append(&text, number_percent(part_of_all(icicle, (double)time)).text);
        if (variance > 0 && all > 0)
            str_printf(&text, " \u00b1 %s", number_points(1.96 * sqrt(variance) / all).text);
    }
    push_text(texts, facts, str_text(&text));
    str_release(&text);
}

static void push_reasons(const struct icicle *icicle, struct intern *texts, json_t *facts,
                         uint32_t node)
{
    size_t count;
    struct str text = {0};
    const struct context_reason *reasons = context_reasons_of(icicle->times, node, &count);
    double off = (double)icicle->times->sums[node].total[TIME_OFF];
    for (size_t i = 0; i < count && i < 4; i++) {
        if ((double)reasons[i].total < LEAST_REASON * off)
            break;
        str_printf(&text, "%s%s ", i ? "; " : "",
                   number_percent_short((double)reasons[i].total / off).text);
        stacks_reason_name(icicle->stacks, reasons[i].reason, &text);
    }
    push_text(texts, facts, str_text(&text));
    str_release(&text);
}

static void push_place(const struct icicle *icicle, struct intern *texts, json_t *facts,
                       uint32_t node)
{
    const struct context_tree *tree = &icicle->times->fold.tree;
    struct str place = {0};
    if (tree->nodes[node].depth > 1 && layer_of(icicle, node) != FRAME_NONE) {
        const struct context_frame *frame = &tree->frames[tree->nodes[node].frame];
        str_append(&place, frame->object);
        if (*frame->file)
            str_printf(&place, ", %s", frame->file);
        if (frame->line)
            str_printf(&place, ":%u", frame->line);
    }
    push_text(texts, facts, str_text(&place));
    str_release(&place);
}

static const char *const fact_labels[] = {"layer",          "in", "ran", "off", "waits for", "own",
                                          "samples, stacks"};

/* In the order of fact_labels. */
static void push_facts(const struct icicle *icicle, struct intern *texts, json_t *facts,
                       uint32_t node)
{
    const struct context_sum *sum = &icicle->times->sums[node];
    struct str seen = {0};
    str_printf(&seen, "%s, ", number_count(sum->samples).text);
    str_append(&seen, number_count(sum->stacks).text);
    push_text(texts, facts, layer_of(icicle, node) == FRAME_NONE ? "" : class_of(icicle, node));
    push_place(icicle, texts, facts, node);
    push_time(icicle, texts, facts, sum->total[TIME_RAN], sum->variance[TIME_RAN]);
    push_time(icicle, texts, facts, sum->total[TIME_OFF], sum->variance[TIME_OFF]);
    push_reasons(icicle, texts, facts, node);
    push_time(icicle, texts, facts, context_time_own(sum), 0);
    push_text(texts, facts, seen.data);
    str_release(&seen);
}

static json_t *box_json(const struct icicle *icicle, struct intern *texts, uint32_t node)
{
    const struct box *box = &icicle->boxes[node];
    uint32_t above = icicle->times->fold.tree.nodes[node].parent;
    json_t *fields = json_array();
    struct str name = {0}, label = {0};
    write_names(icicle, node, false, &name);
    write_names(icicle, node, true, &label);
    push_text(texts, fields, str_text(&name));
    push_text(texts, fields, str_text(&label));
    json_push(fields, node ? json_count(icicle->boxes[above].told - 1) : json_null());
    json_push(fields, json_integer(llround(box->left * 1e7)));
    json_push(fields, json_integer(llround(box->width * 1e7)));
    json_push(fields, json_count(HEAT));
    json_push(fields, json_count(0));
    push_text(texts, fields,
              number_percent_short(part_of_all(icicle, time_of(icicle, box->face))).text);
    push_facts(icicle, texts, fields, box->face);
    str_release(&name);
    str_release(&label);
    return fields;
}

static json_t *look_json(const struct icicle *icicle, uint32_t face)
{
    json_t *look = json_array();
    json_push(look, json_text(class_of(icicle, face)));
    json_push(look, json_count(solid_percent(icicle, face)));
    return look;
}

/* As report.js reads an icicle; "looks" and "weights", in ns, by box. */
static void write_data(const struct icicle *icicle, struct str *out)
{
    json_t *object = json_object(), *labels = json_array(), *boxes = json_array(),
           *looks = json_array(), *ran = json_array(), *off = json_array(), *all = json_array();
    struct intern texts = {0};
    for (size_t i = 0; i < sizeof fact_labels / sizeof *fact_labels; i++)
        json_push(labels, json_text(fact_labels[i]));
    for (uint32_t n = 0; n < icicle->times->fold.tree.count; n++) {
        if (!icicle->boxes[n].told || !begins_box(icicle, n))
            continue;
        const struct context_sum *sum = &icicle->times->sums[icicle->boxes[n].face];
        json_push(boxes, box_json(icicle, &texts, n));
        json_push(looks, look_json(icicle, icicle->boxes[n].face));
        json_push(ran, json_integer((json_int_t)sum->total[TIME_RAN]));
        json_push(off, json_integer((json_int_t)sum->total[TIME_OFF]));
    }
    for (uint32_t i = 0; i < texts.count; i++)
        json_push(all, json_text(texts.text[i]));
    json_set(object, "texts", all);
    json_set(object, "labels", labels);
    json_set(object, "row", json_count(ROW_PIXELS));
    json_set(object, "least", json_number(LEAST_DRAWN / 100));
    json_set(object, "boxes", boxes);
    json_set(object, "looks", looks);
    json_set(object, "ran", ran);
    json_set(object, "off", off);
    str_append(out, "<script type=\"application/json\" id=\"icicle-data\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    intern_release(&texts);
}

static void write_legend(const struct icicle *icicle, struct str *out)
{
    uint32_t untold = 0;
    for (uint32_t n = 0; n < icicle->times->fold.tree.count; n++)
        untold += !icicle->boxes[n].told && time_of(icicle, n) > 0;
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
    struct icicle icicle;
    icicle_init(&icicle, page->stacks);
    str_append(out,
               "<section id=\"icicle-part\"><h2>Where the time of threads went</h2><p "
               "class=\"sub\">Width: part of the time of all threads. The first row: groups of "
               "threads, those that ran longest first. A click opens a context.</p>\n"
               "<div class=\"tools\" id=\"weights\" hidden><span>Width:</span></div>\n");
    html_icicle_tools(out);
    str_printf(out,
               "<div id=\"icicle\" role=\"tree\" aria-label=\"Where the time of threads went\" "
               "style=\"height:%upx\">\n",
               (icicle.depth + 1) * ROW_PIXELS);
    for (uint32_t n = 0; n < icicle.times->fold.tree.count; n++)
        if (icicle.boxes[n].told && begins_box(&icicle, n) && icicle.boxes[n].width >= LEAST_DRAWN)
            write_box(&icicle, n, out);
    str_append(out, "</div>\n");
    write_legend(&icicle, out);
    write_data(&icicle, out);
    str_append(out, "</section>\n");
    icicle_release(&icicle);
}
