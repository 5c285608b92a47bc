/* Differential icicles: A's tree laid over B's. A box is as wide as what both took of it together,
 * so that what is new or gone has its place; its colour is what it changed by, where that is told
 * from 0. One icicle is of the mean time, one of the variance. */
#include "report/variance/compare_html.h"

#include <math.h>

#include "base/memory.h"

enum { ROW_PIXELS = 26, NAME_COLUMNS = 120 };

#define LEAST_DRAWN 0.1 /* percent of the width */

struct box {
    double left, width; /* percent */
    double filled;      /* percent of the width that its children have taken */
    uint32_t number;    /* 1 + its place among those that are drawn; 0: it is not */
};

struct icicle {
    const struct difference *difference;
    enum difference_way way;
    struct box *boxes;
    uint32_t depth;
    double most; /* the greatest change of one that is told */
};

static const enum metric metric_of[] = {METRIC_MEAN, METRIC_VARIANCE};

/* What cancels out in the variance has no width. */
static double weight(const struct icicle *icicle, uint32_t n)
{
    const struct change *change = &icicle->difference->nodes[n].changes[icicle->way];
    return fmax(change->a, 0) + fmax(change->b, 0);
}

static bool is_told(const struct difference_node *node, enum difference_way way)
{
    const struct change *change = &node->changes[way];
    return change->applies && change->verdict && change_is_told(change);
}

/* Where children together are wider than their parent, they shrink. */
static void place_boxes(struct icicle *icicle)
{
    const struct difference *d = icicle->difference;
    double *sums = memory_zeroed(sizeof *sums * d->node_count);
    uint32_t drawn = 0;
    for (uint32_t n = 1; n < d->node_count; n++)
        sums[d->nodes[n].parent] += weight(icicle, n);
    icicle->boxes[0] = (struct box){.width = 100, .number = ++drawn};
    for (uint32_t n = 1; n < d->node_count; n++) {
        uint32_t up = d->nodes[n].parent;
        struct box *box = &icicle->boxes[n], *parent = &icicle->boxes[up];
        double whole = fmax(sums[up], weight(icicle, up));
        box->left = parent->left + parent->filled;
        box->width = whole > 0 ? parent->width * weight(icicle, n) / whole : 0;
        parent->filled += box->width;
        if (!parent->number || box->width < LEAST_DRAWN)
            continue;
        box->number = ++drawn;
        icicle->depth = fmax(icicle->depth, d->nodes[n].depth);
    }
    memory_free(sums);
}

static void find_most(struct icicle *icicle)
{
    for (uint32_t n = 0; n < icicle->difference->node_count; n++) {
        const struct difference_node *node = &icicle->difference->nodes[n];
        double change = fabs(node->changes[icicle->way].change);
        if (is_told(node, icicle->way) && isfinite(change))
            icicle->most = fmax(icicle->most, change);
    }
}

/* ---- a box ---- */

static const char *kind_of(const struct icicle *icicle, uint32_t n)
{
    const struct difference_node *node = &icicle->difference->nodes[n];
    if (node->blind)
        return "blind";
    if (!is_told(node, icicle->way))
        return "even";
    return node->changes[icicle->way].change > 0 ? "more" : "less";
}

static unsigned heat(const struct icicle *icicle, uint32_t n)
{
    const struct difference_node *node = &icicle->difference->nodes[n];
    if (!is_told(node, icicle->way) || icicle->most == 0)
        return 0;
    double part = fabs(node->changes[icicle->way].change) / icicle->most;
    return (unsigned)(15.5 + 85 * sqrt(fmin(part, 1)));
}

static void write_sides(const struct difference_node *node, enum difference_way way,
                        struct str *out)
{
    const struct change *change = &node->changes[way];
    if (way == DIFFERENCE_MEAN) {
        str_printf(out, "mean in A %s", number_ns(change->a, true).text);
        str_printf(out, ", in B %s", number_ns(change->b, true).text);
    } else {
        str_printf(out, "share of A's variance %s", number_percent(node->part[way][0]).text);
        str_printf(out, ", of B's %s", number_percent(node->part[way][1]).text);
    }
}

/* What the tooltip says, line by line. */
static void write_facts(const struct icicle *icicle, uint32_t n, struct str *out)
{
    const struct difference_node *node = &icicle->difference->nodes[n];
    const struct change *change = &node->changes[icicle->way];
    str_printf(out, "%s", node_kind_name(node->kind));
    if (*node->file && node->line)
        str_printf(out, "\n%s:%u", node->file, node->line);
    if (node->blind) {
        str_printf(out, "\nnot compared: one side does not time %s", node->blind);
        return;
    }
    str_append(out, "\n");
    write_sides(node, icicle->way, out);
    str_printf(out, "\nchange %s of A's latency's", change_number(change->change).text);
    str_append(out, change->verdict ? "\n95 % interval, with all others at once: "
                                    : "\n95 % interval, for itself: ");
    if (change->gap == GAP_NONE)
        change_write_range(change, true, out);
    else
        change_write_gap(change, metric_of[icicle->way], out);
    if (n && !change->verdict)
        str_append(out, "\ntoo small to be judged");
    else if (!change_is_told(change))
        str_append(out, "\nnot told from 0");
}

static void write_label(const struct icicle *icicle, uint32_t n, struct str *out)
{
    const struct difference_node *node = &icicle->difference->nodes[n];
    str_append(out, "<span><bdi>");
    html_short(out, node->name, NAME_COLUMNS);
    str_append(out, "</bdi>");
    if (node->blind)
        str_append(out, " <b>not compared</b>");
    else if (is_told(node, icicle->way))
        str_printf(out, " <b>%s</b>", change_number(node->changes[icicle->way].change).text);
    str_append(out, "</span>");
}

static void write_box(const struct icicle *icicle, uint32_t n, struct str *out)
{
    const struct difference_node *node = &icicle->difference->nodes[n];
    const struct box *box = &icicle->boxes[n];
    struct str facts = {0};
    write_facts(icicle, n, &facts);
    str_printf(out,
               "<button type=\"button\" role=\"treeitem\" class=\"box %s%s\" aria-level=\"%u\" "
               "tabindex=\"%d\" data-up=\"%d\" aria-label=\"",
               kind_of(icicle, n), node->blamed ? " blamed" : "", node->depth + 1, n ? -1 : 0,
               n ? (int)icicle->boxes[node->parent].number - 1 : -1);
    html_short(out, node->name, 200);
    str_append(out, "\n");
    html_escape(out, str_text(&facts));
    str_printf(out, "\" style=\"left:%.4f%%;width:%.4f%%;top:%upx;--heat:%u%%\">", box->left,
               box->width, node->depth * ROW_PIXELS, heat(icicle, n));
    write_label(icicle, n, out);
    str_append(out, "</button>\n");
    str_release(&facts);
}

static void write_icicle(const struct difference *difference, enum difference_way way,
                         struct str *out)
{
    static const char *const titles[] = {"the mean time", "the variance"};
    struct icicle icicle = {.difference = difference, .way = way};
    icicle.boxes = memory_zeroed(sizeof *icicle.boxes * difference->node_count);
    place_boxes(&icicle);
    find_most(&icicle);
    str_printf(out,
               "<h3>What %s is made of</h3><div class=\"icicle\" role=\"tree\" "
               "data-row=\"%d\" aria-label=\"What %s changed by\" style=\"height:%upx\">\n",
               titles[way], ROW_PIXELS, titles[way], (icicle.depth + 1) * ROW_PIXELS);
    for (uint32_t n = 0; n < difference->node_count; n++)
        if (icicle.boxes[n].number)
            write_box(&icicle, n, out);
    str_append(out, "</div>\n");
    memory_free(icicle.boxes);
}

static void write_legend(const struct difference *difference, struct str *out)
{
    bool blind = false;
    for (uint32_t n = 0; n < difference->node_count; n++)
        blind = blind || difference->nodes[n].blind;
    str_append(out, "<p class=\"note\"><i class=\"swatch more\"></i> grew, <i class=\"swatch "
                    "less\"></i> shrank, <i class=\"swatch even\"></i> not told from 0, or too "
                    "small to be judged");
    if (blind)
        str_append(out, ", <i class=\"swatch blind\"></i> not compared: the two do not time the "
                        "same functions there");
    str_append(out, ". Figures are parts of A's latency");
    if (difference->left_out)
        str_printf(out, "; %s nodes of less than a thousandth are left out",
                   number_count(difference->left_out).text);
    str_append(out, ".</p><p class=\"note screen\">Click or Enter zooms in, once more one step "
                    "out; Esc shows all; arrow keys move.</p>\n");
}

void html_compare_tree(const struct comparison *comparison, struct str *out)
{
    const struct difference *difference = &comparison->difference;
    str_append(out, "<section class=\"trees\"><h2>Where it changed</h2>");
    if (difference->node_count < 2) {
        str_append(out, "<p class=\"sub\">A and B time no function in common: there is no tree "
                        "to compare. Instrument both alike (vprofiler rewrite).</p></section>\n");
        return;
    }
    str_append(out, "<p class=\"sub\">A's tree laid over B's. Width: what it is of A and of B, "
                    "added up; colour: what it changed by.</p>\n");
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
        if (comparison->rows[0].changes[metric_of[way]].a > 0 ||
            comparison->rows[0].changes[metric_of[way]].b > 0)
            write_icicle(difference, way, out);
    write_legend(difference, out);
    str_append(out, "</section>\n");
}
