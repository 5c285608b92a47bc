/* The table tells who was waited for: one number for all waits, which the tree tells wait by
 * wait. */
#include "base/utf8.h"
#include "report/variance/text_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/variance/outline.h"

enum { TIME = 10, PERCENT = 8, RANGE = 17, MOST_ROWS = 5 };

static bool with_range(const struct terminal *terminal)
{
    return terminal->style.columns >= 76;
}

static size_t name_columns(const struct terminal *terminal)
{
    size_t used = 2 + 1 + TIME + 2 + PERCENT + 1 + PERCENT;
    return terminal->style.columns - used - (with_range(terminal) ? 2 + RANGE : 0);
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
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "WHO IS WAITED FOR", name_columns(terminal));
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_text(terminal, " ");
    terminal_right(terminal, "mean", TIME);
    terminal_text(terminal, "  ");
    terminal_right(terminal, "share", PERCENT);
    draw_range(terminal, "95 % interval");
    terminal_text(terminal, " ");
    terminal_right(terminal, "of tail", PERCENT);
    terminal_end_line(terminal);
}

static void draw_row(struct terminal *terminal, const struct waited *waited)
{
    struct str name = {0}, range = {0};
    bool utf8 = terminal->style.utf8;
    utf8_fit(&name, waited->name, name_columns(terminal), utf8);
    str_printf(&range, "%s %s ", number_points(waited->share_ci95[0]).text,
               terminal_either(terminal, "\u2026", ".."));
    str_append(&range, number_points(waited->share_ci95[1]).text);
    terminal_text(terminal, "  ");
    terminal_left(terminal, str_text(&name), name_columns(terminal));
    terminal_text(terminal, " ");
    terminal_right(terminal, number_ns(waited->mean_ns, utf8).text, TIME);
    terminal_text(terminal, "  ");
    terminal_right(terminal, number_percent(waited->share).text, PERCENT);
    draw_range(terminal, range.data);
    terminal_text(terminal, " ");
    terminal_right(terminal, number_percent(waited->tail_share).text, PERCENT);
    terminal_end_line(terminal);
    str_release(&name);
    str_release(&range);
}

void text_waited(const struct variance_report *report, struct terminal *terminal)
{
    const struct waited_list *list = report->waited;
    uint32_t rows = 0;
    if (!list || !outline_varies(report->tree))
        return;
    for (; rows < list->count && rows < MOST_ROWS && list->items[rows].share >= TEXT_LEAST;
         rows++) {
        if (rows == 0)
            draw_titles(terminal);
        draw_row(terminal, &list->items[rows]);
    }
    if (rows)
        terminal_end_line(terminal);
}
