#include "report/text_parts.h"

#include <math.h>

#include "base/memory.h"
#include "report/headline.h"
#include "report/number.h"
#include "report/outline.h"
#include "report/utf8.h"

enum {
    LEVEL_COLUMNS = 3,
    NUMBER_COLUMNS = 8,
    KIND_COLUMNS = 11,
    MARK_COLUMNS = 4,
    LEAST_NAME = 12
};

/* What stands left of a child at each level above it. */
enum level { LEVEL_BLANK = 1, LEVEL_LINE, LEVEL_DASHED };

struct view {
    struct terminal *terminal;
    const struct variance_tree *tree;
    struct outline outline;
    uint32_t *ranks;             /* by node: of the selected factor that it is a site of, or 0 */
    uint32_t *first_covariance;  /* by parent */
    uint32_t *covariance_counts; /* by parent */
    size_t name_columns, bar_columns;
    bool with_kind;
    bool blamed;       /* a dashed line leads here: see terminal legend */
    struct str levels; /* one enum level for each */
};

struct row {
    const char *name;
    uint32_t rank;
    bool bar, blamed, has_spread;
    double weight, contribution, mean_ns, sigma_ns;
    bool has_mean;
    const char *kind;
};

static const char *level_text(const struct view *view, char level)
{
    switch (level) {
    case LEVEL_LINE:
        return terminal_either(view->terminal, "\u2502  ", "|  ");
    case LEVEL_DASHED:
        return terminal_either(view->terminal, "\u250a  ", ":  ");
    default:
        return "   ";
    }
}

static const char *branch_text(const struct view *view, bool last, bool blamed)
{
    if (blamed)
        return last ? terminal_either(view->terminal, "\u2514\u2508 ", "`. ")
                    : terminal_either(view->terminal, "\u251c\u2508 ", ":. ");
    return last ? terminal_either(view->terminal, "\u2514\u2500 ", "`- ")
                : terminal_either(view->terminal, "\u251c\u2500 ", "|- ");
}

/* The outermost levels are left out where there would be no room for a name. */
static size_t levels_cut(const struct view *view)
{
    size_t count = view->levels.length, most = (view->name_columns - LEAST_NAME) / LEVEL_COLUMNS;
    return count + 1 > most ? count + 2 - most : 0;
}

/* What the lines left of a child's name leave of its column. */
static size_t room_for_name(const struct view *view)
{
    size_t cut = levels_cut(view), levels = view->levels.length - cut + (cut ? 1 : 0) + 1;
    return view->name_columns - levels * LEVEL_COLUMNS;
}

static void draw_levels(struct view *view, const char *branch)
{
    struct terminal *terminal = view->terminal;
    size_t cut = levels_cut(view);
    if (cut)
        terminal_text(terminal, terminal_either(terminal, "\u2026  ", ".. "));
    for (size_t i = cut; i < view->levels.length; i++)
        terminal_text(terminal, level_text(view, view->levels.data[i]));
    terminal_text(terminal, branch);
}

static void draw_number(struct terminal *terminal, bool known, struct number number)
{
    terminal_text(terminal, " ");
    terminal_right(terminal, known ? number.text : "", NUMBER_COLUMNS);
}

static void draw_mark(struct terminal *terminal, uint32_t rank)
{
    char mark[24] = "";
    if (rank)
        snprintf(mark, sizeof mark, " %s%u", terminal_either(terminal, "\u25c0", "<"), rank);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, mark, MARK_COLUMNS);
    terminal_paint(terminal, PAINT_PLAIN);
}

static void draw_row(struct view *view, const char *branch, const struct row *row)
{
    struct terminal *terminal = view->terminal;
    bool varies = outline_varies(view->tree), utf8 = terminal->style.utf8;
    terminal_text(terminal, "  ");
    draw_levels(view, branch);
    terminal_paint(terminal, row->rank ? PAINT_STRONG : row->blamed ? PAINT_FAINT : PAINT_PLAIN);
    terminal_left(terminal, row->name, branch[0] ? room_for_name(view) : view->name_columns);
    terminal_paint(terminal, PAINT_PLAIN);
    draw_mark(terminal, row->rank);
    terminal_bar(terminal, row->bar ? row->weight : 0, row->bar ? view->bar_columns : 0,
                 row->blamed);
    if (!row->bar)
        terminal_left(terminal, "", view->bar_columns);
    draw_number(terminal, row->bar, number_percent(row->weight));
    draw_number(terminal, row->has_spread, number_percent(varies ? row->contribution : NAN));
    draw_number(terminal, row->has_mean, number_ns(row->mean_ns, utf8));
    draw_number(terminal, row->has_mean && row->has_spread, number_ns(row->sigma_ns, utf8));
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_FAINT);
    terminal_text(terminal, view->with_kind ? row->kind : "");
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void draw_pair(struct view *view, const struct tree_covariance *pair, bool last)
{
    const char *names[2] = {view->tree->nodes[pair->a].name, view->tree->nodes[pair->b].name};
    struct factor both = {.kind = FACTOR_COVARIANCE, .names = {names[0], names[1]}};
    struct str name = {0};
    factor_write_name(&both, room_for_name(view), view->terminal->style.utf8, &name);
    struct row row = {.name = str_text(&name),
                      .has_spread = true,
                      .contribution = pair->contribution,
                      .kind = pair->contribution < 0 ? "cancel out" : "covariance"};
    draw_row(view, branch_text(view, last, view->blamed), &row);
    str_release(&name);
}

static uint32_t draw_pairs(struct view *view, uint32_t parent, bool draw, bool last)
{
    uint32_t drawn = 0, count = view->covariance_counts[parent];
    const struct tree_covariance *pairs = view->tree->covariances + view->first_covariance[parent];
    uint32_t total = draw ? draw_pairs(view, parent, false, false) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs(pairs[i].contribution) >= TEXT_LEAST))
            continue;
        drawn++;
        if (draw)
            draw_pair(view, &pairs[i], last && drawn == total);
    }
    return drawn;
}

/* As many of the names as fit into `columns`, the first one cut if need be. */
static void name_rest(const struct view *view, const struct outline_list *list, size_t columns,
                      struct str *out)
{
    static const size_t end = 5; /* columns of ", ..)" */
    str_printf(out, "%u more", list->count - list->shown);
    for (uint32_t i = list->shown; i < list->count; i++) {
        size_t used = utf8_columns(str_text(out)) + 2 + (i + 1 < list->count ? end : 1);
        size_t room = columns > used ? columns - used : 0;
        const char *text = view->tree->nodes[list->nodes[i]].name;
        struct str name = {0};
        utf8_fit(&name, text, i == list->shown ? room : columns, view->terminal->style.utf8);
        size_t wide = utf8_columns(str_text(&name));
        bool fits = wide > 0 && wide <= room, last = i + 1 == list->count;
        if (fits)
            str_printf(out, "%s%s%s", i == list->shown ? " (" : ", ", name.data, last ? ")" : "");
        else if (i > list->shown)
            str_append(out, ", ..)");
        str_release(&name);
        if (!fits)
            break;
    }
}

static void draw_rest(struct view *view, const struct outline_list *list, bool blamed)
{
    struct str name = {0};
    struct row row = {.bar = true, .has_mean = true, .blamed = blamed, .kind = ""};
    for (uint32_t i = list->shown; i < list->count; i++) {
        row.weight += outline_weight(view->tree, list->nodes[i]);
        row.mean_ns += view->tree->nodes[list->nodes[i]].mean_ns;
    }
    name_rest(view, list, room_for_name(view), &name);
    row.name = name.data;
    draw_row(view, branch_text(view, true, blamed), &row);
    str_release(&name);
}

static void draw_node(struct view *view, uint32_t index, const char *branch)
{
    const struct tree_node *node = &view->tree->nodes[index];
    struct row row = {.name = node->name,
                      .rank = view->ranks[index],
                      .bar = true,
                      .blamed = node->blamed,
                      .has_spread = true,
                      .weight = outline_weight(view->tree, index),
                      .contribution = node->contribution,
                      .mean_ns = node->mean_ns,
                      .sigma_ns = sqrt(node->variance_ns2),
                      .has_mean = true,
                      .kind = node_kind_name(node->kind)};
    draw_row(view, branch, &row);
}

static void draw_below(struct view *view, uint32_t parent)
{
    const struct outline_list *list = &view->outline.lists[parent];
    const struct tree_node *nodes = view->tree->nodes;
    bool rest = list->shown < list->count;
    if (list->shown == 0 && parent != 0)
        return;
    view->blamed = nodes[parent].blamed;
    draw_pairs(view, parent, true, list->count == 0);
    for (uint32_t i = 0; i < list->shown; i++) {
        uint32_t child = list->nodes[i];
        bool last = i + 1 == list->shown && !rest, blamed = nodes[child].blamed;
        draw_node(view, child, branch_text(view, last, blamed));
        str_append_char(&view->levels, last ? LEVEL_BLANK : blamed ? LEVEL_DASHED : LEVEL_LINE);
        draw_below(view, child);
        view->levels.data[--view->levels.length] = '\0';
    }
    if (rest)
        draw_rest(view, list, nodes[list->nodes[list->shown]].blamed);
}

static void mark_ranks(struct view *view, const struct report *report)
{
    for (uint32_t i = factor_count(report); i-- > 0;) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor->kind != FACTOR_VARIANCE || !factor_selected(report, factor))
            continue;
        for (uint32_t k = 0; k < factor->site_count; k++)
            view->ranks[factor->sites[k].a] = factor->rank;
    }
}

static void find_covariances(struct view *view)
{
    const struct variance_tree *tree = view->tree;
    for (uint32_t i = tree->covariance_count; i-- > 0;) {
        view->first_covariance[tree->covariances[i].parent] = i;
        view->covariance_counts[tree->covariances[i].parent]++;
    }
}

static void view_layout(struct view *view)
{
    size_t columns = view->terminal->style.columns;
    view->bar_columns = columns >= 120 ? 24 : columns >= 100 ? 16 : columns >= 80 ? 8 : 0;
    view->with_kind = columns >= 92;
    size_t rest = 2 + MARK_COLUMNS + view->bar_columns + 4 * (1 + NUMBER_COLUMNS) +
                  (view->with_kind ? 2 + KIND_COLUMNS : 0);
    view->name_columns = columns - rest;
}

static void draw_titles(struct view *view)
{
    struct terminal *terminal = view->terminal;
    bool varies = outline_varies(view->tree);
    const char *const titles[] = {varies ? "share" : "of mean", "contrib.", "mean"};
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, varies ? "WHERE THE VARIANCE IS" : "WHERE THE TIME IS",
                  view->name_columns + MARK_COLUMNS);
    terminal_left(terminal,
                  view->bar_columns < 16 ? ""
                  : varies               ? "share of var."
                                         : "of the mean",
                  view->bar_columns);
    terminal_paint(terminal, PAINT_PLAIN);
    for (size_t i = 0; i < 3; i++) {
        terminal_text(terminal, " ");
        terminal_right(terminal, titles[i], NUMBER_COLUMNS);
    }
    terminal_text(terminal, " ");
    terminal_right(terminal, terminal_either(terminal, "\u03c3", "sigma"), NUMBER_COLUMNS);
    terminal_text(terminal, view->with_kind ? "  kind" : "");
    terminal_end_line(terminal);
}

static void draw_legend(struct view *view)
{
    bool blamed = false;
    for (uint32_t i = 0; i < view->tree->node_count; i++)
        blamed = blamed || view->tree->nodes[i].blamed;
    if (!blamed)
        return;
    terminal_wrap(view->terminal, "  ",
                  terminal_either(view->terminal,
                                  "\u2508\u2508 \u2591  what the waker did meanwhile: it explains "
                                  "the blocked call above, whose time this is.",
                                  ".. :  what the waker did meanwhile: it explains the blocked "
                                  "call above, whose time this is."));
}

void text_tree(const struct report *report, struct terminal *terminal)
{
    const struct variance_tree *tree = report->tree;
    if (tree->node_count == 0 || tree->intervals.count == 0)
        return;
    struct view view = {.terminal = terminal,
                        .tree = tree,
                        .ranks = memory_zeroed(sizeof *view.ranks * tree->node_count),
                        .first_covariance = memory_zeroed(sizeof(uint32_t) * tree->node_count),
                        .covariance_counts = memory_zeroed(sizeof(uint32_t) * tree->node_count)};
    outline_init(&view.outline, tree, TEXT_LEAST);
    mark_ranks(&view, report);
    find_covariances(&view);
    view_layout(&view);
    draw_titles(&view);
    draw_node(&view, 0, "");
    draw_below(&view, 0);
    draw_legend(&view);
    terminal_end_line(terminal);
    str_release(&view.levels);
    outline_release(&view.outline);
    memory_free(view.ranks);
    memory_free(view.first_covariance);
    memory_free(view.covariance_counts);
}
