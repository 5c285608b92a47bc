#include "base/utf8.h"
#include "report/variance/text_parts.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"
#include "report/variance/pairs.h"

enum {
    MOST_PAIRS = 5,
    PERCENT = 8,
    MARK = 2,
    LEAST_NAME = 30,
    LEAST_REMARK = 28,
    LEAST_PARENT = 8
};

static void write_name(const struct variance_report *report, const struct tree_covariance *pair,
                       size_t columns, bool utf8, struct str *out)
{
    const struct tree_node *nodes = report->tree->nodes;
    struct factor both = {.kind = FACTOR_COVARIANCE,
                          .names = {nodes[pair->a].name, nodes[pair->b].name}};
    factor_write_name(&both, columns, utf8, out);
}

/* The column is as wide as its names, if that leaves room for the remarks. */
static size_t name_columns(const struct variance_report *report, const struct terminal *terminal,
                           const struct sibling_pair *pairs, uint32_t count)
{
    size_t most = terminal->style.columns - (2 + 2 + PERCENT + MARK + 1) - LEAST_REMARK;
    size_t wide = LEAST_NAME < most ? LEAST_NAME : most;
    for (uint32_t i = 0; i < count; i++) {
        struct str name = {0};
        write_name(report, pairs[i].covariance, most, terminal->style.utf8, &name);
        size_t columns = utf8_columns(str_text(&name));
        wide = columns > wide ? columns : wide;
        str_release(&name);
    }
    return wide;
}

/* Appends `text` where there is room for it. */
static void add_remark(struct str *remark, const char *text, size_t columns)
{
    const char *gap = remark->length ? ", " : "";
    if (remark->length + strlen(gap) + strlen(text) <= columns)
        str_printf(remark, "%s%s", gap, text);
}

static void draw_remark(const struct variance_report *report, struct terminal *terminal,
                        const struct sibling_pair *row)
{
    const struct tree_node *nodes = report->tree->nodes;
    size_t used = utf8_columns(str_text(&terminal->line));
    size_t columns = terminal->style.columns - used;
    struct str remark = {0}, below = {0};
    char others[32];
    if (row->covariance->contribution < 0)
        add_remark(&remark, "cancel out", columns);
    if (nodes[row->covariance->a].blamed)
        add_remark(&remark, "woken-by", columns);
    snprintf(others, sizeof others, "and %u more", row->others);
    if (row->others)
        add_remark(&remark, others, columns);
    const char *link = remark.length ? ", below " : "below ";
    size_t before = remark.length + strlen(link);
    if (before + LEAST_PARENT <= columns) {
        str_append(&below, link);
        utf8_fit(&below, nodes[row->covariance->parent].name, columns - before,
                 terminal->style.utf8);
    }
    terminal_text(terminal, str_text(&remark));
    terminal_text(terminal, str_text(&below));
    str_release(&remark);
    str_release(&below);
}

static void draw_pair(const struct variance_report *report, struct terminal *terminal,
                      const struct sibling_pair *row, size_t columns)
{
    const struct tree_covariance *pair = row->covariance;
    const struct factor *factor = pair_factor(report, pair);
    struct str name = {0};
    write_name(report, pair, columns, terminal->style.utf8, &name);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name.data, columns);
    terminal_text(terminal, "  ");
    terminal_right(terminal, number_percent(pair->contribution).text, PERCENT);
    terminal_left(terminal, factor && factor_doubtful(factor) ? " ?" : "", MARK);
    terminal_text(terminal, " ");
    draw_remark(report, terminal, row);
    terminal_end_line(terminal);
    str_release(&name);
}

void text_pairs(const struct variance_report *report, struct terminal *terminal)
{
    uint32_t count;
    struct sibling_pair *pairs = pairs_sorted(report->tree, TEXT_LEAST, &count);
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
            draw_pair(report, terminal, &pairs[i], columns);
        terminal_end_line(terminal);
    }
    memory_free(pairs);
}
