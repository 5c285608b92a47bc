/* The table tells who does it: the root ledger, with what they were waited for in and the calls
 * that it was. */
#include "report/variance/text_parts.h"

#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/factor_words.h"
#include "report/variance/ledger_words.h"
#include "report/variance/outline.h"

enum { PERCENT = 8, RANGE = 17, MOST_ROWS = 8 };

static bool with_range(const struct terminal *terminal)
{
    return terminal->style.columns >= 76;
}

static size_t name_columns(const struct terminal *terminal)
{
    size_t used = 2 + 1 + 4 * (1 + PERCENT);
    return terminal->style.columns - used - (with_range(terminal) ? 2 + RANGE : 0);
}

static void draw_percent(struct terminal *terminal, double part)
{
    bool none = fabs(part) < NUMBER_LEAST_PERCENT;
    terminal_text(terminal, " ");
    terminal_right(terminal, none ? "-  " : number_percent(part).text, PERCENT);
}

static void draw_range(struct terminal *terminal, const char *text)
{
    if (!with_range(terminal))
        return;
    terminal_text(terminal, "  ");
    terminal_right(terminal, text, RANGE);
}

static void draw_titles(struct terminal *terminal)
{
    static const char *const titles[] = {"own", "waits", "of tail"};
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "WHO DOES IT", name_columns(terminal));
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_text(terminal, "  ");
    terminal_right(terminal, "share", PERCENT);
    draw_range(terminal, "95 % interval");
    for (int i = 0; i < 3; i++) {
        terminal_text(terminal, " ");
        terminal_right(terminal, titles[i], PERCENT);
    }
    terminal_end_line(terminal);
}

static void write_range(const struct variance_report *report, const struct terminal *terminal,
                        const struct ledger_line *line, struct str *out)
{
    if (!factors_steady(report) || !isfinite(line->ci95[0]) || !isfinite(line->ci95[1])) {
        str_append(out, "-  ");
        return;
    }
    str_printf(out, "%s %s ", number_points(line->ci95[0]).text,
               terminal_either(terminal, "\u2026", ".."));
    str_printf(out, "%s%s", number_points(line->ci95[1]).text,
               ledger_line_doubtful(line) ? " ?" : "  ");
}

static void draw_line(const struct variance_report *report, struct terminal *terminal,
                      const struct ledger_line *line)
{
    struct str who = {0}, range = {0};
    bool doubtful = ledger_line_doubtful(line);
    size_t columns = name_columns(terminal);
    ledger_write_who(line, columns, terminal->style.utf8, &who);
    if (utf8_columns(str_text(&who)) > columns) {
        str_clear(&who);
        utf8_fit(&who, line->name, columns, terminal->style.utf8);
    }
    write_range(report, terminal, line, &range);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, doubtful ? PAINT_FAINT : PAINT_PLAIN);
    terminal_left(terminal, str_text(&who), columns);
    terminal_text(terminal, " ");
    draw_percent(terminal, line->all.share);
    draw_range(terminal, range.data);
    draw_percent(terminal, line->own.share);
    draw_percent(terminal, line->waits.share);
    draw_percent(terminal, line->all.tail_share);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&who);
    str_release(&range);
}

/* What was waited for is told place by place, the calls where they are most of it. */
static void draw_details(const struct variance_report *report, struct terminal *terminal,
                         const struct ledger_line *line)
{
    struct str text = {0};
    const struct ledger_way *way = ledger_line_way(line);
    if (way)
        ledger_write_way(way, name_columns(terminal), terminal->style.utf8, &text);
    for (uint32_t i = 0; i < line->part_count; i++) {
        const struct ledger_part *part = &line->parts[i];
        if (!ledger_part_is_told(part) || part->sums.share < TEXT_LEAST)
            continue;
        str_append(&text, text.length ? "; " : "");
        ledger_write_part(report->tree, part, name_columns(terminal), terminal->style.utf8, &text);
    }
    terminal_paint(terminal, PAINT_FAINT);
    if (text.length)
        terminal_wrap(terminal, "    ", text.data);
    terminal_paint(terminal, PAINT_PLAIN);
    str_release(&text);
}

static void draw_rest(struct terminal *terminal, uint32_t count, double share)
{
    struct str text = {0};
    str_printf(&text, "%u more", count);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, text.data, name_columns(terminal));
    terminal_text(terminal, " ");
    draw_percent(terminal, share);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

void text_ledger(const struct variance_report *report, struct terminal *terminal)
{
    const struct root_ledger *ledger = report->roots;
    uint32_t left = 0, rows = 0;
    double share = 0;
    if (!ledger->count || !outline_varies(report->tree))
        return;
    draw_titles(terminal);
    for (uint32_t i = 0; i < ledger->count; i++) {
        const struct ledger_line *line = &ledger->lines[i];
        if (rows < MOST_ROWS && fabs(line->all.share) >= TEXT_LEAST) {
            draw_line(report, terminal, line);
            draw_details(report, terminal, line);
            rows++;
        } else {
            left++;
            share += line->all.share;
        }
    }
    if (left)
        draw_rest(terminal, left, share);
    terminal_end_line(terminal);
}
