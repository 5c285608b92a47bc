#include "base/utf8.h"
#include "report/variance/text_parts.h"

#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/variance/digest.h"
#include "report/variance/factor_words.h"
#include "report/variance/recursion.h"

enum {
    MARGIN = 2,
    LEVEL = 2,
    MARK = 4,
    PERCENT = 9, /* these with the blank before them */
    TIME = 9,    /* 8 where it is narrow */
    KIND = 13,
    MOST_LINES = 40,
    MOST_DEPTH = 30,
    LEAST_NAME = 8,
    FULL_NAME = 24,
    MOST_NAME = 56, /* more would part the names from their numbers */
    USUAL_BAR = 10,
    LEAST_BAR = 6,
};

#define LEAST_TOLD 0.005 /* above 100 % or below 0 */

/* Each level above a line draws one of these at its left. */
enum level { LEVEL_BLANK, LEVEL_LINE, LEVEL_DASHED };

struct view {
    struct terminal *terminal;
    struct recursion fold;
    const struct variance_tree *tree; /* what it folds to */
    struct digest digest;
    uint32_t *ranks;        /* by node: of the selected factor that it is a site of, or 0 */
    bool *keep;             /* by node: the largest site of a selected factor */
    size_t name, bar, time; /* columns */
    bool with_mean, with_sigma, with_kind;
    enum level levels[MOST_DEPTH + 8];
};

struct row {
    const struct digest_line *line;
    const char *name, *kind;
    uint32_t rank;
    double weight, contribution, mean_ns, sigma_ns;
};

static const char *level_text(const struct terminal *terminal, enum level level)
{
    switch (level) {
    case LEVEL_LINE:
        return terminal_either(terminal, "\u2502 ", "| ");
    case LEVEL_DASHED:
        return terminal_either(terminal, "\u250a ", ": ");
    default:
        return "  ";
    }
}

static const char *branch_text(const struct terminal *terminal, const struct digest_line *line)
{
    if (line->blamed)
        return line->last ? terminal_either(terminal, "\u2514\u2508", "`.")
                          : terminal_either(terminal, "\u251c\u2508", ":.");
    return line->last ? terminal_either(terminal, "\u2514\u2574", "`-")
                      : terminal_either(terminal, "\u251c\u2574", "|-");
}

static const char *link_text(const struct terminal *terminal)
{
    return terminal_either(terminal, " \u203a ", " > ");
}

static void draw_branch(struct view *view, const struct digest_line *line)
{
    struct terminal *terminal = view->terminal;
    if (line->depth == 0)
        return;
    terminal_paint(terminal, PAINT_FAINT);
    for (uint32_t i = 1; i < line->depth; i++)
        terminal_text(terminal, level_text(terminal, view->levels[i]));
    terminal_text(terminal, line->continued ? level_text(terminal, view->levels[line->depth])
                                            : branch_text(terminal, line));
    terminal_paint(terminal, PAINT_PLAIN);
    view->levels[line->depth] = line->last ? LEVEL_BLANK : line->blamed ? LEVEL_DASHED : LEVEL_LINE;
}

static void draw_number(struct terminal *terminal, bool known, struct number number, size_t columns)
{
    terminal_right(terminal, known ? number.text : "", columns);
}

static void draw_mark(struct terminal *terminal, uint32_t rank)
{
    char mark[24] = "";
    if (rank)
        snprintf(mark, sizeof mark, " %s%u", terminal_either(terminal, "\u25c0", "<"), rank);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, mark, MARK);
    terminal_paint(terminal, PAINT_PLAIN);
}

static void draw_row(struct view *view, const struct row *row)
{
    struct terminal *terminal = view->terminal;
    bool varies = outline_varies(view->tree), utf8 = terminal->style.utf8;
    bool blamed = row->line->blamed, whole = row->line->what == DIGEST_NODE;
    terminal_text(terminal, "  ");
    draw_branch(view, row->line);
    terminal_paint(terminal, row->rank          ? PAINT_STRONG
                             : blamed || !whole ? PAINT_FAINT
                                                : PAINT_PLAIN);
    terminal_left(terminal, row->name, view->name - LEVEL * row->line->depth);
    terminal_paint(terminal, PAINT_PLAIN);
    draw_mark(terminal, row->rank);
    terminal_bar(terminal, row->weight, view->bar, blamed);
    draw_number(terminal, true, number_percent(row->weight), PERCENT);
    bool spread = whole && !(varies && isnan(row->contribution));
    draw_number(terminal, spread, number_percent(varies ? row->contribution : NAN), PERCENT);
    if (view->with_mean)
        draw_number(terminal, true, number_ns(row->mean_ns, utf8), view->time);
    if (view->with_sigma)
        draw_number(terminal, spread, number_ns(row->sigma_ns, utf8), view->time);
    if (view->with_kind) {
        terminal_paint(terminal, PAINT_FAINT);
        terminal_text(terminal, "  ");
        terminal_text(terminal, row->kind);
        terminal_paint(terminal, PAINT_PLAIN);
    }
    terminal_end_line(terminal);
}

/* Writes as many of the names as fit into `columns`, the first one cut if need be. */
static void name_rest(const struct view *view, const uint32_t *nodes, uint32_t count,
                      size_t columns, struct str *out)
{
    static const size_t end = 5; /* columns of ", ..)" */
    str_printf(out, "%u more", count);
    for (uint32_t i = 0; i < count; i++) {
        size_t used = utf8_columns(str_text(out)) + 2 + (i + 1 < count ? end : 1);
        size_t room = columns > used ? columns - used : 0;
        struct str name = {0};
        utf8_fit(&name, view->tree->nodes[nodes[i]].name, i == 0 ? room : columns,
                 view->terminal->style.utf8);
        size_t wide = utf8_columns(str_text(&name));
        bool fits = wide > (i == 0 ? 5 : 0) && wide <= room;
        if (fits)
            str_printf(out, "%s%s%s", i ? ", " : " (", name.data, i + 1 == count ? ")" : "");
        else if (i)
            str_append(out, ", ..)");
        str_release(&name);
        if (!fits)
            break;
    }
}

/* The rest line tells the children of one node that have no line of their own. */
static void draw_folded(struct view *view, const struct digest_line *line)
{
    const struct outline_list *list = &view->digest.outline.lists[line->node];
    uint32_t *nodes = memory_zeroed(sizeof *nodes * list->count), count = 0;
    struct row row = {.line = line, .kind = ""};
    struct str name = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t node = list->nodes[i];
        if (line->what == DIGEST_REST && view->digest.shown[node])
            continue;
        nodes[count++] = node;
        row.weight += outline_weight(view->tree, node);
        row.mean_ns += view->tree->nodes[node].mean_ns;
    }
    if (line->what == DIGEST_REST)
        name_rest(view, nodes, count, view->name - LEVEL * line->depth, &name);
    else
        str_printf(&name, terminal_either(view->terminal, "\u2026 %s", "(%s)"),
                   line->what == DIGEST_WAITS ? "waits further" : "goes deeper");
    row.name = name.data;
    draw_row(view, &row);
    str_release(&name);
    memory_free(nodes);
}

static void write_names(const struct view *view, const struct digest_line *line, uint32_t node,
                        struct str *out)
{
    if (node != line->first) {
        write_names(view, line, view->tree->nodes[node].parent, out);
        str_append(out, link_text(view->terminal));
    }
    digest_write_name(&view->digest, line, node, out);
}

/* The first names of a chain stand alone; its numbers stand by the last. */
static void draw_names(struct view *view, const struct digest_line *line)
{
    struct terminal *terminal = view->terminal;
    struct str name = {0}, link = {0};
    str_append(&link, link_text(terminal));
    if (line->skipped)
        str_printf(&link, "(%u more)%s", line->skipped, link_text(terminal));
    write_names(view, line, line->node, &name);
    size_t room = terminal->style.columns - MARGIN - LEVEL * line->depth;
    room -= utf8_columns(link.data);
    size_t wide = utf8_columns(str_text(&name));
    terminal_text(terminal, "  ");
    draw_branch(view, line);
    terminal_paint(terminal, line->blamed ? PAINT_FAINT : PAINT_PLAIN);
    terminal_left(terminal, str_text(&name), wide < room ? wide : room);
    terminal_text(terminal, link.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&name);
    str_release(&link);
}

static void draw_nodes(struct view *view, const struct digest_line *line)
{
    const struct tree_node *node = &view->tree->nodes[line->node];
    struct str name = {0};
    write_names(view, line, line->node, &name);
    struct row row = {.line = line,
                      .name = str_text(&name),
                      .kind = node_kind_name(node->kind),
                      .rank = view->ranks[line->node],
                      .weight = outline_weight(view->tree, line->node),
                      .contribution = node->contribution,
                      .mean_ns = node->mean_ns,
                      .sigma_ns = sqrt(node->variance_ns2)};
    draw_row(view, &row);
    str_release(&name);
}

static void mark_ranks(struct view *view, const struct variance_report *report)
{
    for (uint32_t i = factor_count(report); i-- > 0;) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor->kind != FACTOR_VARIANCE || !factor_selected(report, factor))
            continue;
        for (uint32_t k = 0; k < factor->site_count; k++)
            if (factor_is_named_at(factor, k))
                view->ranks[view->fold.node_of[factor->sites[k].a]] = factor->rank;
        if (factor->site_count)
            view->keep[view->fold.node_of[factor->sites[0].a]] = true;
    }
}

static size_t columns_used(const struct view *view)
{
    return MARGIN + MARK + view->bar + 2 * PERCENT + (view->with_mean ? view->time : 0) +
           (view->with_sigma ? view->time : 0) + (view->with_kind ? KIND : 0);
}

static void layout_usual(struct view *view)
{
    size_t columns = view->terminal->style.columns;
    view->bar = columns >= 80 ? USUAL_BAR : LEAST_BAR;
    view->time = columns >= 92 ? TIME : TIME - 1;
    view->with_mean = view->with_sigma = true;
    view->with_kind = columns >= 92;
    view->name = columns - columns_used(view);
}

/* Counts the columns that the names want: `most` of each name, or all of it. */
static size_t wanted(const struct view *view, size_t most)
{
    size_t columns = sizeof "WHERE THE VARIANCE IS" - 1;
    for (uint32_t i = 0; i < view->digest.count; i++) {
        const struct digest_line *line = &view->digest.lines[i];
        struct str name = {0};
        if (line->continues)
            continue;
        if (line->what == DIGEST_NODE)
            write_names(view, line, line->node, &name);
        else
            str_append(&name, "12 more (a_name_of_usual_length, ..)");
        size_t wide = utf8_columns(str_text(&name));
        wide = LEVEL * line->depth + (wide < most ? wide : most);
        columns = wide > columns ? wide : columns;
        str_release(&name);
    }
    return columns;
}

/* The names get what they want from the bar, and then from the columns that matter least. */
static void layout_for_names(struct view *view)
{
    size_t columns = view->terminal->style.columns;
    size_t all = wanted(view, 1000), full = wanted(view, FULL_NAME), least = wanted(view, 16);
    bool *const optional[] = {&view->with_sigma, &view->with_kind, &view->with_mean};
    while (view->bar > LEAST_BAR && columns - columns_used(view) < full)
        view->bar--;
    if (columns - columns_used(view) < least)
        view->bar = 0;
    for (size_t i = 0; i < 3 && columns - columns_used(view) < least; i++)
        *optional[i] = false;
    while (columns >= 120 && view->bar < 24 && columns - columns_used(view) > all)
        view->bar++;
    view->name = columns - columns_used(view);
    view->name = all < view->name ? all : view->name;
}

static void draw_titles(struct view *view)
{
    struct terminal *terminal = view->terminal;
    bool varies = outline_varies(view->tree);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, varies ? "WHERE THE VARIANCE IS" : "WHERE THE TIME IS",
                  view->name + MARK + view->bar);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_right(terminal, varies ? "share" : "of mean", PERCENT);
    terminal_right(terminal, "contrib.", PERCENT);
    if (view->with_mean)
        terminal_right(terminal, "mean", view->time);
    if (view->with_sigma)
        terminal_right(terminal, terminal_either(terminal, "\u03c3", "sigma"), view->time);
    terminal_text(terminal, view->with_kind ? "  kind" : "");
    terminal_end_line(terminal);
}

/* The node tells what the thread that came to the interval did before. */
static bool waits_for_thread(const struct variance_tree *tree, uint32_t node)
{
    uint32_t parent = node == NODE_NONE ? NODE_NONE : tree->nodes[node].parent;
    return parent != NODE_NONE && tree->nodes[node].blamed && tree->nodes[parent].parent == 0 &&
           (tree->nodes[parent].kind == NODE_WAIT || tree->nodes[parent].kind == NODE_QUEUE);
}

static void draw_legend(struct view *view)
{
    const struct digest *digest = &view->digest;
    struct terminal *terminal = view->terminal;
    bool blamed = false, late = false, chain = false, above, negative;
    for (uint32_t i = 0; i < digest->count; i++) {
        blamed = blamed || digest->lines[i].blamed;
        late = late || waits_for_thread(view->tree, digest->lines[i].first);
        chain =
            chain || digest->lines[i].first != digest->lines[i].node || digest->lines[i].continues;
    }
    struct str text = {0};
    if (chain)
        str_printf(&text,
                   "a%sb: their shares are less than 1 %% apart; the numbers are those of b.\n",
                   link_text(terminal));
    if (blamed)
        str_printf(&text, "%s show what the waker did meanwhile: it explains the call above.\n",
                   terminal_either(terminal, "\u2508 and \u2591", ":. and :"));
    if (late)
        str_append(&text, "Below a queue or waiting they show what the thread did before it came "
                          "to the interval.\n");
    if (view->fold.any)
        str_printf(
            &text,
            "f %s3: it calls itself, up to 3 deep; what all of these did is told together.\n",
            terminal_either(terminal, "\u00d7", "x"));
    outline_extremes(view->tree, LEAST_TOLD, &above, &negative);
    if (above)
        str_append(&text, "Above 100 %: it varies more than the whole, as other parts make up for "
                          "it.\n");
    if (negative)
        str_append(&text, "Negative: it is short where the interval is long, and takes variance "
                          "away.\n");
    if (digest->folded) {
        str_printf(&text, "Parts below %.0f %%", digest->least * 100);
        if (blamed && digest->least_blamed > digest->least)
            str_printf(&text, " (of wakers: %.0f %%)", digest->least_blamed * 100);
        str_append(&text, " are folded; all are in report.json and report.html.");
    }
    if (text.length)
        terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

static void view_init(struct view *view, const struct variance_report *report)
{
    const struct terminal *terminal = view->terminal;
    size_t columns = terminal->style.columns;
    recursion_fold(&view->fold, report->tree, terminal->style.utf8);
    view->tree = &view->fold.tree;
    view->ranks = memory_zeroed(sizeof *view->ranks * view->tree->node_count);
    view->keep = memory_zeroed(sizeof *view->keep * view->tree->node_count);
    mark_ranks(view, report);
    layout_usual(view);
    size_t depth = (columns - (MARGIN + MARK + 2 * PERCENT) - LEAST_NAME) / LEVEL;
    struct digest_wish wish = {.lines = MOST_LINES,
                               .depth = depth < MOST_DEPTH ? (uint32_t)depth : MOST_DEPTH,
                               .name_columns = view->name < MOST_NAME ? view->name : MOST_NAME,
                               .line_columns = columns - MARGIN,
                               .level_columns = LEVEL,
                               .link_columns = utf8_columns(link_text(terminal)),
                               .utf8 = terminal->style.utf8,
                               .keep = view->keep,
                               .ranks = view->ranks};
    digest_init(&view->digest, view->tree, &wish);
    layout_for_names(view);
}

static void view_release(struct view *view)
{
    digest_release(&view->digest);
    memory_free(view->ranks);
    memory_free(view->keep);
    recursion_release(&view->fold);
}

void text_tree(const struct variance_report *report, struct terminal *terminal)
{
    struct view view = {.terminal = terminal};
    if (report->tree->node_count == 0 || report->tree->intervals.count == 0)
        return;
    view_init(&view, report);
    draw_titles(&view);
    for (uint32_t i = 0; i < view.digest.count; i++) {
        const struct digest_line *line = &view.digest.lines[i];
        if (line->continues)
            draw_names(&view, line);
        else if (line->what == DIGEST_NODE)
            draw_nodes(&view, line);
        else
            draw_folded(&view, line);
    }
    draw_legend(&view);
    terminal_end_line(terminal);
    view_release(&view);
}
