/* The icicle: a box is as wide as its part of the variance. Nodes that have just what the one above them has share its
 * box: "serve > handle". */
#include "report/variance/html_parts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/kit/icicle.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"

enum { MOST_TOLD = 10000 };

enum { CALLS_LABEL = 7, LABELS };

/* The tree of the icicle. */
struct shares {
    const struct variance_tree *tree;
    struct outline outline;
    double *heat; /* by node that a box begins with: what no function below it explains, 0 to 1 */
    const struct factor **factors;  /* by node: that it is a site of, or NULL */
    const char *labels[LABELS + 1]; /* of a box's facts, NULL at the end */
};

static const struct shares *shares_of(const struct icicle *icicle)
{
    return icicle->tree;
}

static const struct tree_node *node_of(const struct icicle *icicle, uint32_t node)
{
    return &shares_of(icicle)->tree->nodes[node];
}

static double weight_of(const struct icicle *icicle, uint32_t node)
{
    return outline_weight(shares_of(icicle)->tree, node);
}

static uint32_t parent_of(const struct icicle *icicle, uint32_t node)
{
    return node_of(icicle, node)->parent;
}

/* A node that cancels has no width; then its siblings together are wider than their parent, and
 * shrink. */
static void place_children(struct icicle *icicle, uint32_t parent)
{
    const struct outline_list *list = &shares_of(icicle)->outline.lists[parent];
    const struct icicle_box *box = &icicle->boxes[parent];
    double sum = 0, own = weight_of(icicle, parent), at = box->left;
    for (uint32_t i = 0; i < list->count; i++)
        sum += fmax(weight_of(icicle, list->nodes[i]), 0);
    double whole = fmax(sum, own);
    double scale = whole > 0 ? box->width / whole : 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct icicle_box *child = &icicle->boxes[list->nodes[i]];
        child->left = at;
        child->width = fmax(weight_of(icicle, list->nodes[i]), 0) * scale;
        at += child->width;
    }
}

/* Below a call that blocked begins the story of the waker. */
static bool joins_box(const struct icicle *icicle, uint32_t node)
{
    const struct tree_node *above = node_of(icicle, parent_of(icicle, node));
    return node_of(icicle, node)->blamed == above->blamed && !above->blocked;
}

/* A body says no more than its function. */
static bool is_face(const struct icicle *icicle, uint32_t node)
{
    return node_of(icicle, node)->kind != NODE_BODY;
}

static bool explains(const struct tree_node *child)
{
    return child->kind != NODE_WOKEN_BY && child->kind != NODE_FOR_ANOTHER &&
           child->kind != NODE_WAIT && child->kind != NODE_IO;
}

static double heat(const struct shares *shares, uint32_t index)
{
    const struct variance_tree *tree = shares->tree;
    const struct outline_list *list = &shares->outline.lists[index];
    double own = outline_weight(tree, index);
    for (uint32_t i = 0; i < list->count; i++)
        if (explains(&tree->nodes[list->nodes[i]]))
            own -= fmax(outline_weight(tree, list->nodes[i]), 0);
    return fmin(fmax(own, 0), 1);
}

static void find_heat(struct shares *shares, const struct icicle *icicle)
{
    for (uint32_t n = 0; n < icicle->count; n++) {
        double *of_box = &shares->heat[icicle->boxes[n].first];
        *of_box = fmin(*of_box + heat(shares, n), 1);
    }
}

static void find_factors(struct shares *shares, const struct variance_report *report)
{
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        for (uint32_t k = 0; factor->kind == FACTOR_VARIANCE && k < factor->site_count; k++)
            if (factor_is_named_at(factor, k))
                shares->factors[factor->sites[k].a] = factor;
    }
}

static void write_name(const struct icicle *icicle, uint32_t node, struct str *out)
{
    str_append(out, node_of(icicle, node)->name);
}

static struct icicle_look look_of(const struct icicle *icicle, uint32_t face)
{
    const struct tree_node *node = node_of(icicle, face);
    double heat = shares_of(icicle)->heat[icicle->boxes[face].first];
    return (struct icicle_look){.kind = node_kind_name(node->kind),
                                .class = node->blamed ? "blamed" : "",
                                .weight = number_percent_short(weight_of(icicle, face)),
                                .heat = (unsigned)(10.5 + 90 * sqrt(heat)),
                                .solid = -1,
                                .blamed = node->blamed};
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
    icicle_push(texts, facts, str_text(&text));
    str_release(&text);
}

/* In the order of fact_labels. */
static void push_facts(const struct icicle *icicle, uint32_t face, struct intern *texts,
                       json_t *facts)
{
    static const double unknown[2] = {NAN, NAN};
    const struct tree_node *node = node_of(icicle, face);
    const struct factor *factor = shares_of(icicle)->factors[face];
    uint64_t intervals = shares_of(icicle)->tree->intervals.count;
    char calls[32];
    struct str place = {0};
    node_write_place(node, &place);
    snprintf(calls, sizeof calls, "%.3g", intervals ? (double)node->calls / (double)intervals : 0);
    icicle_push(texts, facts, node_kind_name(node->kind));
    icicle_push(texts, facts, str_text(&place));
    push_sure(texts, facts, node->share, factor, factor ? factor->share : 0,
              factor ? factor->share_ci95 : unknown);
    push_sure(texts, facts, node->contribution, factor, factor ? factor->contribution : 0,
              factor ? factor->ci95 : unknown);
    icicle_push(texts, facts, number_percent(node->tail_share).text);
    icicle_push(texts, facts, number_ns(node->mean_ns, true).text);
    icicle_push(texts, facts, number_ns(sqrt(node->variance_ns2), true).text);
    icicle_push(texts, facts, calls);
    str_release(&place);
}

static const char *const fact_labels[LABELS + 1] = {"kind",
                                                    "where",
                                                    "share of variance",
                                                    "contribution",
                                                    "share of the tail",
                                                    "mean",
                                                    "\u03c3",
                                                    [CALLS_LABEL] = "calls per interval"};

static const struct icicle_family family = {.parent = parent_of,
                                            .place = place_children,
                                            .joins = joins_box,
                                            .is_face = is_face,
                                            .name = write_name,
                                            .look = look_of,
                                            .facts = push_facts,
                                            .empty = true};

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
    for (uint32_t i = 0; i < icicle->count; i++)
        count += !icicle_is_told(icicle, i);
    return count;
}

/* The cells of a node that has no box are told as those of the box above. */
static void write_rows(const struct icicle *icicle, const struct variance_report *report,
                       struct str *out)
{
    uint32_t *box_of = memory_zeroed(sizeof *box_of * icicle->count);
    for (uint32_t i = 0; i < icicle->count; i++) {
        const struct icicle_box *box = &icicle->boxes[i];
        box_of[i] = box->told ? box->told - 1 : box_of[parent_of(icicle, i)];
    }
    html_rows(report, box_of, out);
    memory_free(box_of);
}

static void shares_init(struct shares *shares, struct icicle *icicle,
                        const struct variance_report *report)
{
    const struct variance_tree *tree = report->tree;
    *shares = (struct shares){.tree = tree,
                              .heat = memory_zeroed(sizeof *shares->heat * tree->node_count),
                              .factors = memory_zeroed(sizeof *shares->factors * tree->node_count)};
    *icicle = (struct icicle){
        .family = &family, .tree = shares, .count = tree->node_count, .labels = shares->labels};
    memcpy(shares->labels, fact_labels, sizeof fact_labels);
    if (report->of->inferred)
        shares->labels[CALLS_LABEL] = "times seen per interval";
    outline_init(&shares->outline, tree, 0);
    icicle_place(icicle, MOST_TOLD);
    find_heat(shares, icicle);
    find_factors(shares, report);
}

static void shares_release(struct shares *shares, struct icicle *icicle)
{
    icicle_release(icicle);
    outline_release(&shares->outline);
    memory_free(shares->heat);
    memory_free(shares->factors);
}

void html_icicle(const struct variance_report *report, struct str *out)
{
    const struct variance_tree *tree = report->tree;
    if (tree->node_count == 0 || tree->intervals.count == 0)
        return;
    struct shares shares;
    struct icicle icicle;
    bool varies = outline_varies(tree);
    shares_init(&shares, &icicle, report);
    str_printf(
        out,
        "<section id=\"icicle-part\"><h2>Where the %s is</h2><p class=\"sub\">Width = %s; the "
        "page's width is 100 %%.</p>\n",
        varies ? "variance" : "time",
        varies ? "share of the latency's variance" : "part of the mean latency, as nothing varies");
    html_icicle_tools(out);
    icicle_write_boxes(&icicle, varies ? "Where the variance is" : "Where the time is", out);
    write_legend(tree, count_untold(&icicle), out);
    icicle_write_data(icicle_data(&icicle), out);
    str_append(out, "</section>\n");
    write_rows(&icicle, report, out);
    shares_release(&shares, &icicle);
}
