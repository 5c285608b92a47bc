#include <string.h>

#include "base/number.h"
#include "report/causal/causal_plot.h"
#include "report/causal/causal_report.h"
#include "report/causal/causal_second.h"
#include "report/causal/causal_trust.h"
#include "report/causal/causal_words.h"
#include "report/kit/text_parts.h"

enum { MARGIN = 2, LEVEL = 14, CELL = 22 };
#define SENTENCE_LEVEL 0.5

void causal_headline(const struct causal *causal, struct str *out)
{
    const struct causal_target *first = &causal->targets[0];
    uint32_t level = causal_level_near(&first->parts[0], SENTENCE_LEVEL);
    if (!level)
        str_printf(out, "No experiment with %s came to an end.", first->name);
    else
        causal_append_sentence(causal, first, level, out);
}

/* ---- a table by level ---- */

/* Those that are shown, as many in a table as the terminal is wide. */
struct columns {
    enum causal_shown shown[SHOWN_COUNT];
    uint32_t count;
};

static void write_head(const struct columns *columns, struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "    faster by", LEVEL);
    for (uint32_t c = 0; c < columns->count; c++)
        terminal_right(terminal, causal_shown_names[columns->shown[c]], CELL);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void write_cell(const struct causal_change *change, struct terminal *terminal)
{
    struct str text = {0};
    causal_append_cell(change, &text);
    terminal_paint(terminal, change->differs ? PAINT_STRONG : PAINT_FAINT);
    terminal_right(terminal, str_text(&text), CELL);
    terminal_paint(terminal, PAINT_PLAIN);
    str_release(&text);
}

typedef struct causal_change change_of(const struct causal *causal, const struct causal_part *part,
                                       uint32_t level, enum causal_shown shown);

static void write_row(const struct causal *causal, const struct causal_part *part, uint32_t level,
                      change_of *change_at, const struct columns *columns,
                      struct terminal *terminal)
{
    for (uint32_t c = 0; c < columns->count; c++) {
        struct causal_change change = change_at(causal, part, level, columns->shown[c]);
        write_cell(&change, terminal);
    }
    terminal_end_line(terminal);
}

static void write_level(const struct causal *causal, const struct causal_part *part, uint32_t level,
                        const struct columns *columns, struct terminal *terminal)
{
    struct str share = {0};
    str_printf(&share, "    %.0f %%", 100 * part->samples.levels[level].share);
    terminal_left(terminal, share.data, LEVEL);
    write_row(causal, part, level, causal_change_of, columns, terminal);
    str_release(&share);
    if (!causal_has_second(part, level))
        return;
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "      replayed", LEVEL);
    write_row(causal, part, level, causal_replay_change_of, columns, terminal);
}

/* What the changes are of. */
static void write_base(const struct causal_part *part, const struct columns *columns,
                       struct terminal *terminal)
{
    terminal_left(terminal, "    as it is", LEVEL);
    for (uint32_t c = 0; c < columns->count; c++) {
        struct str text = {0};
        causal_append_base(part, columns->shown[c], terminal->style.utf8, &text);
        terminal_right(terminal, text.data, CELL);
        str_release(&text);
    }
    terminal_end_line(terminal);
}

static void write_table(const struct causal *causal, const struct causal_part *part,
                        const struct columns *columns, struct terminal *terminal)
{
    write_head(columns, terminal);
    write_base(part, columns, terminal);
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        write_level(causal, part, l, columns, terminal);
}

static void write_part(const struct causal *causal, const struct causal_part *part,
                       struct terminal *terminal)
{
    struct columns all = {.count = 0};
    uint32_t fit = (terminal->style.columns - LEVEL) / CELL;
    for (int s = 0; s < SHOWN_COUNT; s++)
        if (causal_is_shown(causal, s))
            all.shown[all.count++] = s;
    uint32_t tables = (all.count + fit - 1) / fit, each = (all.count + tables - 1) / tables;
    for (uint32_t from = 0; from < all.count; from += each) {
        struct columns columns = {.count = all.count - from < each ? all.count - from : each};
        memcpy(columns.shown, all.shown + from, sizeof *all.shown * columns.count);
        write_table(causal, part, &columns, terminal);
    }
}

/* ---- a target ---- */

static void write_type(const struct causal *causal, const struct causal_part *part,
                       struct terminal *terminal)
{
    terminal_text(terminal, "    of type ");
    terminal_left(terminal, part->type, terminal->style.columns - LEVEL);
    terminal_end_line(terminal);
    write_part(causal, part, terminal);
}

static void write_target(const struct causal *causal, const struct causal_target *target,
                         struct terminal *terminal)
{
    struct str text = {0};
    terminal_end_line(terminal);
    causal_append_target(target, &text);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, text.data, terminal->style.columns - MARGIN);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_clear(&text);
    causal_append_shape(causal, target, &text);
    if (text.length)
        terminal_wrap(terminal, "    ", text.data);
    str_clear(&text);
    causal_append_second(causal, target, &text);
    if (text.length)
        terminal_wrap(terminal, "    ", text.data);
    str_clear(&text);
    causal_append_noise(causal, target, &text);
    if (text.length)
        terminal_wrap(terminal, "    ", text.data);
    causal_write_plots(causal, &target->parts[0], terminal);
    write_part(causal, &target->parts[0], terminal);
    for (uint32_t p = 1; p < target->part_count; p++)
        write_type(causal, &target->parts[p], terminal);
    str_release(&text);
}

static void write_made(const struct causal *causal, struct terminal *terminal)
{
    struct str text = {0};
    causal_append_made(causal, &text);
    str_append_char(&text, ' ');
    causal_append_plan(causal, &text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

static void write_left_out(const struct causal *causal, struct terminal *terminal)
{
    struct str text = {0};
    for (uint32_t t = causal->target_count - causal->left_out; t < causal->target_count; t++) {
        terminal_end_line(terminal);
        str_clear(&text);
        causal_append_left_out(causal, &causal->targets[t], &text);
        terminal_wrap(terminal, "  ", text.data);
    }
    str_release(&text);
}

void causal_write_text(const struct causal *causal, const struct doubts *doubts,
                       struct terminal *terminal)
{
    struct str headline = {0};
    causal_headline(causal, &headline);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", headline.data);
    terminal_paint(terminal, PAINT_PLAIN);
    for (uint32_t t = 0; t < causal->target_count - causal->left_out; t++)
        write_target(causal, &causal->targets[t], terminal);
    write_left_out(causal, terminal);
    write_made(causal, terminal);
    causal_write_plot_key(terminal);
    if (doubts->count) {
        terminal_end_line(terminal);
        text_trust("Warnings:", doubts->items, doubts->count, terminal);
    }
    str_release(&headline);
}
