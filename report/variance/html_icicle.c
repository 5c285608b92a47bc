/* The icicle: a box is as wide as its part of the variance, and stands below what called it. Nodes
 * that have just what the one above them has share its box: "serve > handle". */
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/kit/json_parts.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"

enum { MOST_TOLD = 10000, ROW_PIXELS = 26, NAME_COLUMNS = 1000, LABEL_COLUMNS = 120 };

#define LEAST_DRAWN 0.3 /* percent of the view: less is a sliver of a few pixels */
#define SAME 0.99       /* of the box above: a box that is as wide tells nothing new */

#define LINK " \u203a "

struct box {
    double left, width; /* percent of the page */
    uint32_t depth;
    uint32_t told;               /* 1 + its number among those that the script knows, or 0 */
    uint32_t first;              /* node that the box begins with */
    uint32_t face;               /* node that it ends with, whose figures it has */
    double heat;                 /* weight that no function below it explains, 0 to 1 */
    const struct factor *factor; /* that it is a site of, or NULL */
};

struct icicle {
    const struct variance_tree *tree;
    struct outline outline;
    struct box *boxes;
    uint32_t told;
    uint32_t depth; /* of the picture */
};

/* A node that cancels has no width; then its siblings together are wider than their parent, and
 * shrink. */
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
        at += child->width;
    }
}

/* A node shares the box of its parent where it has nearly all of its width and tells the same
 * story: below a call that blocked begins that of the waker. */
static bool shares_box(const struct icicle *icicle, uint32_t index)
{
    const struct tree_node *node = &icicle->tree->nodes[index];
    const struct tree_node *parent = &icicle->tree->nodes[node->parent];
    const struct box *box = &icicle->boxes[index], *above = &icicle->boxes[node->parent];
    return box->width > 0 && box->width >= SAME * icicle->boxes[above->first].width &&
           node->blamed == parent->blamed && !parent->blocked;
}

/* A body says no more than its function. */
static void place_box(struct icicle *icicle, uint32_t index)
{
    const struct tree_node *node = &icicle->tree->nodes[index];
    struct box *box = &icicle->boxes[index];
    box->first = box->face = index;
    if (index == 0)
        return;
    const struct box *above = &icicle->boxes[icicle->boxes[node->parent].first];
    box->depth = above->depth + 1;
    if (!shares_box(icicle, index))
        return;
    box->first = above->first;
    box->depth = above->depth;
    if (node->kind != NODE_BODY)
        icicle->boxes[box->first].face = index;
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

static bool begins_box(const struct icicle *icicle, uint32_t index)
{
    return icicle->boxes[index].first == index;
}

static uint32_t number_told(struct icicle *icicle, double least)
{
    icicle->told = 0;
    for (uint32_t i = 0; i < icicle->tree->node_count; i++) {
        struct box *box = &icicle->boxes[i];
        bool parent_told = i == 0 || icicle->boxes[icicle->tree->nodes[i].parent].told;
        if (!begins_box(icicle, i))
            box->told = icicle->boxes[box->first].told;
        else
            box->told = parent_told && box->width >= least ? ++icicle->told : 0;
    }
    return icicle->told;
}

/* No box is drawn that the picture has no room for. */
static void measure(struct icicle *icicle)
{
    for (uint32_t i = 0; i < icicle->tree->node_count; i++) {
        const struct box *box = &icicle->boxes[i];
        if (box->width >= LEAST_DRAWN && box->depth > icicle->depth)
            icicle->depth = box->depth;
    }
}

static void find_factors(struct icicle *icicle, const struct variance_report *report)
{
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        for (uint32_t k = 0; factor->kind == FACTOR_VARIANCE && k < factor->site_count; k++)
            if (factor_is_named_at(factor, k))
                icicle->boxes[factor->sites[k].a].factor = factor;
    }
}

static void icicle_init(struct icicle *icicle, const struct variance_report *report)
{
    const struct variance_tree *tree = report->tree;
    *icicle = (struct icicle){.tree = tree};
    outline_init(&icicle->outline, tree, 0);
    icicle->boxes = memory_zeroed(sizeof *icicle->boxes * tree->node_count);
    icicle->boxes[0] = (struct box){.width = 100};
    for (uint32_t i = 0; i < tree->node_count; i++) {
        place_box(icicle, i);
        place_children(icicle, i);
        struct box *first = &icicle->boxes[icicle->boxes[i].first];
        first->heat = fmin(first->heat + heat(icicle, i), 1);
    }
    find_factors(icicle, report);
    measure(icicle);
    for (double least = 0; tree->node_count && number_told(icicle, least) > MOST_TOLD;)
        least = least > 0 ? 2 * least : LEAST_DRAWN / 1024;
}

static void icicle_release(struct icicle *icicle)
{
    outline_release(&icicle->outline);
    memory_free(icicle->boxes);
}

static unsigned heat_percent(const struct box *box)
{
    return (unsigned)(10.5 + 90 * sqrt(box->heat));
}

/* The nodes of a box come from the last one to the first, `most` at the most. */
static uint32_t nodes_of(const struct icicle *icicle, uint32_t index, uint32_t most,
                         uint32_t *nodes)
{
    uint32_t count = 0, node = icicle->boxes[index].face;
    for (; count < most && node != index; node = icicle->tree->nodes[node].parent)
        nodes[count++] = node;
    if (count < most)
        nodes[count++] = index;
    return count;
}

enum { MOST_CHAIN = 200, MOST_LABELLED = 4 };

/* Writes "serve > handle", or where a box has many nodes "serve > ... > handle" for its label. */
static void write_names(const struct icicle *icicle, uint32_t index, bool label, struct str *out)
{
    uint32_t nodes[MOST_CHAIN], count = nodes_of(icicle, index, MOST_CHAIN, nodes);
    size_t columns = (label ? LABEL_COLUMNS : NAME_COLUMNS) / (count < 4 ? count : 4);
    for (uint32_t i = count; i-- > 0;) {
        bool left_out = label && count > MOST_LABELLED && i > 0 && i < count - 1;
        if (left_out && i < count - 2)
            continue;
        str_append(out, i == count - 1 ? "" : LINK);
        if (left_out)
            str_append(out, "\u2026");
        else
            utf8_fit(out, icicle->tree->nodes[nodes[i]].name, columns, true);
    }
}

/* The script writes a box's name likewise where it becomes wide enough. */
static void write_box(const struct icicle *icicle, uint32_t index, struct str *out)
{
    const struct box *box = &icicle->boxes[index];
    const struct tree_node *node = &icicle->tree->nodes[box->face];
    struct number weight = number_percent_short(outline_weight(icicle->tree, box->face));
    struct str label = {0};
    write_names(icicle, index, true, &label);
    str_printf(out,
               "<button type=\"button\" role=\"treeitem\" class=\"box%s\" data-n=\"%u\" "
               "aria-level=\"%u\" tabindex=\"%d\" aria-label=\"",
               node->blamed ? " blamed" : "", box->told - 1, box->depth + 1, index ? -1 : 0);
    html_escape(out, str_text(&label));
    str_printf(out, ", %s, %s\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%u%%\"><span>",
               node_kind_name(node->kind), weight.text, box->left, box->width,
               box->depth * ROW_PIXELS, heat_percent(box));
    str_append(out, "<bdi>");
    html_escape(out, str_text(&label));
    str_printf(out, "</bdi> <b>%s</b></span></button>\n", weight.text);
    str_release(&label);
}

/* A text is told by its place among the texts of all boxes, as most occur many times. */
static void push_text(struct intern *texts, json_t *array, const char *text)
{
    json_array_append_new(array, json_integer(intern_add(texts, text)));
}

/* Adds "12.3 %" and how sure that is, which the factor knows of all its places together. */
static void push_sure(struct intern *texts, json_t *facts, double value,
                      const struct factor *factor, double whole, const double ci95[2])
{
    struct str text = {0};
    str_append(&text, number_percent(value).text);
    if (factor && isfinite(ci95[0]) && isfinite(ci95[1])) {
        if (factor->site_count > 1)
            str_printf(&text, "; at all its %u places %s", factor->site_count,
                       number_percent(whole).text);
        str_printf(&text, " (95 %% interval %s \u2026 ", number_points(ci95[0]).text);
        str_printf(&text, "%s)", number_percent(ci95[1]).text);
    }
    push_text(texts, facts, str_text(&text));
    str_release(&text);
}

/* The facts of a box come in the order of "labels". */
static void push_facts(struct intern *texts, json_t *facts, const struct icicle *icicle,
                       uint32_t index)
{
    static const double unknown[2] = {NAN, NAN};
    uint32_t face = icicle->boxes[index].face;
    const struct tree_node *node = &icicle->tree->nodes[face];
    const struct factor *factor = icicle->boxes[face].factor;
    uint64_t intervals = icicle->tree->intervals.count;
    char calls[32];
    struct str place = {0};
    node_write_place(node, &place);
    snprintf(calls, sizeof calls, "%.3g", intervals ? (double)node->calls / (double)intervals : 0);
    push_text(texts, facts, node_kind_name(node->kind));
    push_text(texts, facts, str_text(&place));
    push_sure(texts, facts, node->share, factor, factor ? factor->share : 0,
              factor ? factor->share_ci95 : unknown);
    push_sure(texts, facts, node->contribution, factor, factor ? factor->contribution : 0,
              factor ? factor->ci95 : unknown);
    push_text(texts, facts, number_percent(node->tail_share).text);
    push_text(texts, facts, number_ns(node->mean_ns, true).text);
    push_text(texts, facts, number_ns(sqrt(node->variance_ns2), true).text);
    push_text(texts, facts, calls);
    str_release(&place);
}

static json_t *box_json(struct intern *texts, const struct icicle *icicle, uint32_t index)
{
    const struct tree_node *node = &icicle->tree->nodes[index];
    const struct box *box = &icicle->boxes[index];
    json_t *fields = json_array();
    struct str name = {0}, label = {0};
    write_names(icicle, index, false, &name);
    write_names(icicle, index, true, &label);
    push_text(texts, fields, str_text(&name));
    push_text(texts, fields, str_text(&label));
    json_array_append_new(fields,
                          index ? json_integer(icicle->boxes[node->parent].told - 1) : json_null());
    json_array_append_new(fields, json_integer(llround(box->left * 1e7)));
    json_array_append_new(fields, json_integer(llround(box->width * 1e7)));
    json_array_append_new(fields, json_integer(heat_percent(box)));
    json_array_append_new(fields, json_integer(node->blamed));
    push_text(texts, fields, number_percent_short(outline_weight(icicle->tree, box->face)).text);
    push_facts(texts, fields, icicle, index);
    str_release(&name);
    str_release(&label);
    return fields;
}

/* The script reads
 *   {"texts": [...], "labels": [...], "row": .., "least": ..,
 *    "boxes": [[name, label, parent, left, width, heat, blamed, weight, fact, ...], ...]}
 * with left and width in 1e9ths of the page; name, label, weight and facts are told by their place
 * in texts, a fact for each of the labels. */
static void write_data(const struct icicle *icicle, bool inferred, struct str *out)
{
    const char *const labels[] = {"kind",
                                  "where",
                                  "share of variance",
                                  "contribution",
                                  "share of the tail",
                                  "mean",
                                  "\u03c3",
                                  inferred ? "times seen per interval" : "calls per interval"};
    json_t *object = json_object(), *names = json_array(), *boxes = json_array();
    json_t *all = json_array();
    struct intern texts = {0};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        json_array_append_new(names, json_text(labels[i]));
    for (uint32_t i = 0; i < icicle->tree->node_count; i++)
        if (icicle->boxes[i].told && begins_box(icicle, i))
            json_array_append_new(boxes, box_json(&texts, icicle, i));
    for (uint32_t i = 0; i < texts.count; i++)
        json_array_append_new(all, json_text(texts.text[i]));
    json_object_set_new(object, "texts", all);
    json_object_set_new(object, "labels", names);
    json_object_set_new(object, "row", json_integer(ROW_PIXELS));
    json_object_set_new(object, "least", json_real(LEAST_DRAWN / 100));
    json_object_set_new(object, "boxes", boxes);
    str_append(out, "<script type=\"application/json\" id=\"icicle-data\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    intern_release(&texts);
}

static void write_legend(const struct variance_tree *tree, uint32_t untold, struct str *out)
{
    bool cancels = false, blamed = false, late = false;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        late = late || (node->parent == 0 && node->first_child != NODE_NONE &&
                        (node->kind == NODE_WAIT || node->kind == NODE_QUEUE));
        cancels = cancels || tree->nodes[i].share < -NUMBER_LEAST_PERCENT;
        blamed = blamed || tree->nodes[i].blamed;
    }
    str_append(out, "<p class=\"note\">The stronger the colour, the more of it no function below "
                    "explains; the tooltip and the tree in numbers have the figures.");
    if (blamed)
        str_append(out, " <i class=\"swatch blamed\"></i> Hatched, with \u21b3: what the waker did "
                        "meanwhile; it explains the blocked call above, whose time it is.");
    if (late)
        str_append(out, " Below a queue or waiting: what the thread did before it came to the "
                        "interval.");
    if (cancels && outline_varies(tree))
        str_append(out, " What cancels out (a negative share) has no width: see the tree below.");
    str_append(out, " a \u203a b: b has at least 99&nbsp;% of a, and the figures are b's.");
    if (untold)
        str_printf(out, " %s of the smallest nodes are in report.json alone.",
                   number_count(untold).text);
    str_append(out,
               "</p>\n<p class=\"note screen\">Click or Enter zooms in, once more one step out; "
               "Esc shows all; arrow keys move.</p>\n");
}

/* The script shows these, as they need it. */
static uint32_t count_untold(const struct icicle *icicle)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < icicle->tree->node_count; i++)
        count += !icicle->boxes[i].told;
    return count;
}

/* The cells of a node that has no box are told as those of the box above. */
static void write_rows(const struct icicle *icicle, const struct variance_report *report,
                       struct str *out)
{
    uint32_t *box_of = memory_zeroed(sizeof *box_of * icicle->tree->node_count);
    for (uint32_t i = 0; i < icicle->tree->node_count; i++) {
        const struct box *box = &icicle->boxes[i];
        box_of[i] = box->told ? box->told - 1 : box_of[icicle->tree->nodes[i].parent];
    }
    html_rows(report, box_of, out);
    memory_free(box_of);
}

void html_icicle(const struct variance_report *report, struct str *out)
{
    const struct variance_tree *tree = report->tree;
    if (tree->node_count == 0 || tree->intervals.count == 0)
        return;
    struct icicle icicle;
    const char *what = outline_varies(tree) ? "variance" : "time";
    icicle_init(&icicle, report);
    str_printf(
        out,
        "<section id=\"icicle-part\"><h2>Where the %s is</h2><p class=\"sub\">Width = %s; the "
        "page's width is 100 %%.</p>\n",
        what,
        outline_varies(tree) ? "share of the latency's variance"
                             : "part of the mean latency, as nothing varies");
    html_icicle_tools(out);
    str_printf(out,
               "<div id=\"icicle\" role=\"tree\" aria-label=\"Where the %s is\" "
               "style=\"height:%upx\">\n",
               what, (icicle.depth + 1) * ROW_PIXELS);
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (icicle.boxes[i].told && begins_box(&icicle, i) && icicle.boxes[i].width >= LEAST_DRAWN)
            write_box(&icicle, i, out);
    str_append(out, "</div>\n");
    write_legend(tree, count_untold(&icicle), out);
    write_data(&icicle, report->of->inferred, out);
    str_append(out, "</section>\n");
    write_rows(&icicle, report, out);
    icicle_release(&icicle);
}
