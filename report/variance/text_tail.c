/* The tail's table tells what the slow intervals are slower by, the largest parts first; the rest
 * closes the sum. */
#include "base/utf8.h"
#include "report/kit/interval_words.h"
#include "report/variance/text_parts.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "report/variance/factor_words.h"

enum { MOST_PARTS = 6, TIME = 10, PERCENT = 7, LEAST_NAME = 16, MOST_NAME = 40 };

#define TITLE "WHAT MAKES A SLOW ONE SLOW"
#define LEAST_PART 0.01 /* of what the slow ones are slower by */

/* The means have a line of their own where there is no room beside the title. */
static void draw_means(const struct variance_report *report, struct terminal *terminal)
{
    bool utf8 = terminal->style.utf8;
    struct str line = {0};
    str_printf(&line, "mean %s", number_ns((double)report->tail->mean_ns, utf8).text);
    str_append(&line, terminal_either(terminal, " \u2192 ", " -> "));
    tail_write_name(&report->tree->intervals, &line);
    str_printf(&line, " %s", number_ns((double)report->tail->slow_ns, utf8).text);
    size_t used = 2 + strlen(TITLE) + 3;
    if (used + utf8_columns(line.data) > terminal->style.columns) {
        terminal_end_line(terminal);
        terminal_text(terminal, "  ");
    } else {
        terminal_text(terminal, "   ");
    }
    terminal_text(terminal, line.data);
    terminal_end_line(terminal);
    str_release(&line);
}

static void draw_title(const struct variance_report *report, struct terminal *terminal)
{
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_text(terminal, TITLE);
    terminal_paint(terminal, PAINT_PLAIN);
    draw_means(report, terminal);
}

static size_t name_columns(const struct tail_ledger *ledger, uint32_t shown, size_t room)
{
    size_t wide = LEAST_NAME;
    for (uint32_t i = 0; i < shown; i++) {
        struct str name = {0};
        utf8_fit(&name, ledger->parts[i].name, room, true);
        size_t columns = utf8_columns(str_text(&name));
        wide = columns > wide ? columns : wide;
        str_release(&name);
    }
    return wide;
}

static void draw_part(struct terminal *terminal, const char *name, size_t columns, int64_t ns,
                      double share)
{
    struct str time = {0};
    size_t used = 2 + columns + 1 + TIME + 1 + PERCENT + 2;
    str_printf(&time, "%s%s",
               ns > 0   ? "+"
               : ns < 0 ? "-"
                        : "",
               number_ns(fabs((double)ns), terminal->style.utf8).text);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name, columns);
    terminal_text(terminal, " ");
    terminal_right(terminal, time.data, TIME);
    terminal_text(terminal, " ");
    terminal_right(terminal, number_percent_short(share).text, PERCENT);
    terminal_text(terminal, "  ");
    terminal_bar(terminal, share, terminal->style.columns - used, false);
    terminal_end_line(terminal);
    str_release(&time);
}

static void draw_rest(struct terminal *terminal, const struct tail_ledger *ledger, uint32_t shown,
                      size_t columns)
{
    double share = 0;
    if (shown == ledger->count)
        return;
    for (uint32_t i = shown; i < ledger->count; i++)
        share += ledger->parts[i].share;
    draw_part(terminal, "everything else", columns, ledger->slow_ns - ledger->parts[shown].from_ns,
              share);
}

void text_tail(const struct variance_report *report, struct terminal *terminal)
{
    const struct tail_ledger *ledger = report->tail;
    uint32_t shown = 0;
    if (!ledger || ledger->count == 0 || ledger->slow_ns <= ledger->mean_ns)
        return;
    while (shown < ledger->count && shown < MOST_PARTS &&
           fabs(ledger->parts[shown].share) >= LEAST_PART)
        shown++;
    size_t room = (terminal->style.columns - TIME - PERCENT) / 2;
    size_t columns = name_columns(ledger, shown, room < MOST_NAME ? room : MOST_NAME);
    draw_title(report, terminal);
    for (uint32_t i = 0; i < shown; i++) {
        const struct tail_part *part = &ledger->parts[i];
        draw_part(terminal, part->name, columns, part->to_ns - part->from_ns, part->share);
    }
    draw_rest(terminal, ledger, shown, columns);
    terminal_end_line(terminal);
}
