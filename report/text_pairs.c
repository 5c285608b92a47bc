#include "report/text_parts.h"

#include <math.h>

#include "base/memory.h"
#include "report/headline.h"
#include "report/number.h"
#include "report/outline.h"
#include "report/pairs.h"
#include "report/utf8.h"

enum {
    MOST_PAIRS = 5,
    PERCENT = 8,
    MARK = 2,
    LEAST_NAME = 30,
    LEAST_REMARK = 28,
    LEAST_PARENT = 8
};

static void write_name(const struct report *report, const struct tree_covariance *pair,
                       size_t columns, bool utf8, struct str *out)
{
    const struct tree_node *nodes = report->tree->nodes;
    struct factor both = {.kind = FACTOR_COVARIANCE,
                          .names = {nodes[pair->a].name, nodes[pair->b].name}};
    factor_write_name(&both, columns, utf8, out);
}

/* As wide as its names, if that leaves room for the remarks. */
static size_t name_columns(const struct report *report, const struct terminal *terminal,
                           const struct tree_covariance **pairs, uint32_t count)
{
    size_t most = terminal->style.columns - (2 + 2 + PERCENT + MARK + 1) - LEAST_REMARK;
    size_t wide = LEAST_NAME < most ? LEAST_NAME : most;
    for (uint32_t i = 0; i < count; i++) {
        struct str name = {0};
        write_name(report, pairs[i], most, terminal->style.utf8, &name);
        size_t columns = utf8_columns(str_text(&name));
        wide = columns > wide ? columns : wide;
        str_release(&name);
    }
    return wide;
}

static void draw_remark(const struct report *report, struct terminal *terminal,
                        const struct tree_covariance *pair)
{
    const struct tree_node *nodes = report->tree->nodes;
    size_t used = utf8_columns(str_text(&terminal->line)), columns = terminal->style.columns;
    struct str remark = {0};
    if (pair->contribution < 0)
        str_append(&remark, "cancel out, ");
    if (nodes[pair->a].blamed)
        str_append(&remark, "woken-by, ");
    str_append(&remark, "below ");
    if (used + remark.length + LEAST_PARENT <= columns)
        utf8_fit(&remark, nodes[pair->parent].name, columns - used - remark.length,
                 terminal->style.utf8);
    else
        remark.data[remark.length - (sizeof ", below " - 1)] = '\0';
    terminal_text(terminal, remark.data);
    str_release(&remark);
}

static void draw_pair(const struct report *report, struct terminal *terminal,
                      const struct tree_covariance *pair, size_t columns)
{
    const struct factor *factor = pair_factor(report, pair);
    struct str name = {0};
    write_name(report, pair, columns, terminal->style.utf8, &name);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name.data, columns);
    terminal_text(terminal, "  ");
    terminal_right(terminal, number_percent(pair->contribution).text, PERCENT);
    terminal_left(terminal, factor && factor_doubtful(factor) ? " ?" : "", MARK);
    terminal_text(terminal, " ");
    draw_remark(report, terminal, pair);
    terminal_end_line(terminal);
    str_release(&name);
}

void text_pairs(const struct report *report, struct terminal *terminal)
{
    uint32_t count;
    const struct tree_covariance **pairs = pairs_sorted(report->tree, TEXT_LEAST, &count);
    uint32_t rows = count < MOST_PAIRS ? count : MOST_PAIRS;
    if (count > 0 && outline_varies(report->tree)) {
        size_t columns = name_columns(report, terminal, pairs, rows);
        terminal_text(terminal, "  ");
        terminal_paint(terminal, PAINT_STRONG);
        terminal_left(terminal, "MOVE TOGETHER", columns);
        terminal_paint(terminal, PAINT_PLAIN);
        terminal_text(terminal, "  ");
        terminal_right(terminal, "contrib.", PERCENT);
        terminal_end_line(terminal);
        for (uint32_t i = 0; i < rows; i++)
            draw_pair(report, terminal, pairs[i], columns);
        terminal_end_line(terminal);
    }
    memory_free(pairs);
}
