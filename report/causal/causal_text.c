#include <math.h>

#include "base/number.h"
#include "report/causal/causal_report.h"
#include "report/causal/causal_second.h"
#include "report/causal/causal_words.h"
#include "report/kit/text_parts.h"

enum { LEVEL = 15, CELL = 22 };
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

static void write_head(const struct causal *causal, struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "    faster by", LEVEL);
    for (int s = 0; s < SHOWN_COUNT; s++)
        if (causal_is_shown(causal, s))
            terminal_right(terminal, causal_shown_names[s], CELL);
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
                      change_of *change_at, struct terminal *terminal)
{
    for (int s = 0; s < SHOWN_COUNT; s++) {
        struct causal_change change = change_at(causal, part, level, s);
        if (causal_is_shown(causal, s))
            write_cell(&change, terminal);
    }
    terminal_end_line(terminal);
}

static void write_level(const struct causal *causal, const struct causal_part *part, uint32_t level,
                        struct terminal *terminal)
{
    struct str share = {0};
    str_printf(&share, "    %.0f %%", 100 * part->samples.levels[level].share);
    terminal_left(terminal, share.data, LEVEL);
    write_row(causal, part, level, causal_change_of, terminal);
    str_release(&share);
    if (!causal_has_second(part, level))
        return;
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "      replayed", LEVEL);
    write_row(causal, part, level, causal_replay_change_of, terminal);
}

static double base_value(const struct causal_part *part, int shown)
{
    double value = causal_value(&part->samples, 0, causal_metric_of(shown));
    if (shown == SHOWN_THROUGHPUT)
        return value > 0 ? 1e9 / value : 0;
    return shown == SHOWN_SD ? sqrt(value) : value;
}

/* What the changes are of. */
static void write_base(const struct causal *causal, const struct causal_part *part,
                       struct terminal *terminal)
{
    terminal_left(terminal, "    as it is", LEVEL);
    for (int s = 0; s < SHOWN_COUNT; s++) {
        struct str text = {0};
        double value = base_value(part, s);
        if (value <= 0)
            str_append(&text, "-");
        else if (s == SHOWN_THROUGHPUT)
            str_printf(&text, "%.*f/s", value < 100 ? 1 : 0, value);
        else
            str_append(&text, number_ns(value, terminal->style.utf8).text);
        if (causal_is_shown(causal, s))
            terminal_right(terminal, text.data, CELL);
        str_release(&text);
    }
    terminal_end_line(terminal);
}

static void write_part(const struct causal *causal, const struct causal_part *part,
                       struct terminal *terminal)
{
    if (part->type) {
        terminal_text(terminal, "    of type ");
        terminal_text(terminal, part->type);
        terminal_end_line(terminal);
    }
    write_base(causal, part, terminal);
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        write_level(causal, part, l, terminal);
}

static void write_target(const struct causal *causal, const struct causal_target *target,
                         struct terminal *terminal)
{
    struct str text = {0};
    terminal_end_line(terminal);
    causal_append_target(target, &text);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_text(terminal, text.data);
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
    for (uint32_t p = 0; p < target->part_count; p++)
        write_part(causal, &target->parts[p], terminal);
    str_release(&text);
}

static void write_made(const struct causal *causal, struct terminal *terminal)
{
    struct str text = {0};
    str_printf(&text, "%s experiments in %.0f s, which took %.2f times as long as without delays",
               number_count(causal->experiments).text, causal->seconds, causal->slowdown);
    if (causal->broken)
        str_printf(&text, "; %s did not come to an end and are left out",
                   number_count(causal->broken).text);
    str_printf(
        &text,
        ". Virtual time went back %s times in %s steps of threads, and %s times in %s hand-overs.",
        number_count(causal->laws.backwards).text, number_count(causal->laws.marks).text,
        number_count(causal->laws.early).text, number_count(causal->laws.handed).text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
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
    terminal_end_line(terminal);
    write_head(causal, terminal);
    for (uint32_t t = 0; t < causal->target_count; t++)
        write_target(causal, &causal->targets[t], terminal);
    write_made(causal, terminal);
    if (doubts->count) {
        terminal_end_line(terminal);
        text_trust("Warnings:", doubts->items, doubts->count, terminal);
    }
    str_release(&headline);
}
