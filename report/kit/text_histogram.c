/* The latencies are shown on one line, and a line below it says where the quantiles are:
 *
 *   120 us  .:#@*=-::....  .  9.55 ms
 *              ^p50      ^p95  ^p99
 */
#include "base/utf8.h"
#include "report/kit/text_parts.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "report/kit/interval_words.h"

enum { LEVELS = 8, MARGIN = 2, MOST_COLUMNS = HISTOGRAM_BINS + 8 };

struct strip {
    const struct histogram *histogram;
    uint32_t fold; /* bins of one column */
    uint32_t columns;
    uint64_t counts[HISTOGRAM_BINS];
    uint64_t most;
    size_t left; /* column of the first bin */
};

static uint32_t column_of(const struct strip *strip, double ns)
{
    uint32_t bin = 0;
    while (bin + 1 < strip->histogram->bin_count && ns >= (double)strip->histogram->edges[bin + 1])
        bin++;
    return bin / strip->fold;
}

static void strip_init(struct strip *strip, const struct histogram *histogram, size_t room)
{
    *strip = (struct strip){.histogram = histogram, .fold = 1};
    while ((histogram->bin_count + strip->fold - 1) / strip->fold > room)
        strip->fold++;
    strip->columns = (histogram->bin_count + strip->fold - 1) / strip->fold;
    for (uint32_t i = 0; i < histogram->bin_count; i++)
        strip->counts[i / strip->fold] += histogram->counts[i];
    for (uint32_t i = 0; i < strip->columns; i++)
        strip->most = strip->counts[i] > strip->most ? strip->counts[i] : strip->most;
}

/* A column's height goes by the square root, so that few are seen beside many. */
static void draw_column(const struct strip *strip, uint32_t column, struct terminal *terminal)
{
    static const char *const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const letters[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
    double part = sqrt((double)strip->counts[column] / (double)strip->most);
    uint32_t level = (uint32_t)ceil(part * LEVELS - 1e-9);
    terminal_text(terminal, terminal_either(terminal, blocks[level], letters[level]));
}

/* A mark is left out where it would touch another one. */
static void add_mark(char *line, size_t at, const char *name)
{
    size_t length = strlen(name), from = at > 0 ? at - 1 : 0;
    if (at + length + 2 > MOST_COLUMNS || strspn(line + from, " ") < at - from + length + 2)
        return;
    line[at] = '^';
    memcpy(line + at + 1, name, length);
}

static void draw_marks(const struct strip *strip, const struct interval_summary *intervals,
                       struct terminal *terminal)
{
    char line[MOST_COLUMNS + 1];
    memset(line, ' ', MOST_COLUMNS);
    line[MOST_COLUMNS] = '\0';
    add_mark(line, column_of(strip, intervals->p50_ns), "p50");
    add_mark(line, column_of(strip, intervals->p99_ns), "p99");
    if (intervals->count >= LEAST_FOR_P999)
        add_mark(line, column_of(strip, intervals->p999_ns), "p99.9");
    add_mark(line, column_of(strip, intervals->p95_ns), "p95");
    terminal_left(terminal, "", strip->left);
    terminal_paint(terminal, PAINT_FAINT);
    terminal_text(terminal, line);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

void text_histogram(const struct report *report, struct terminal *terminal)
{
    const struct interval_summary *intervals = report->intervals;
    const struct histogram *histogram = &intervals->histogram;
    bool utf8 = terminal->style.utf8;
    if (histogram->bin_count < 2)
        return;
    struct number from = number_ns((double)histogram->edges[0], utf8);
    struct number to = number_ns((double)histogram->edges[histogram->bin_count], utf8);
    size_t labels = utf8_columns(from.text) + utf8_columns(to.text) + MARGIN + 4;
    struct strip strip;
    strip_init(&strip, histogram, terminal->style.columns - labels);
    strip.left = MARGIN + utf8_columns(from.text) + 2;
    terminal_text(terminal, "  ");
    terminal_text(terminal, from.text);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_WARM);
    for (uint32_t i = 0; i < strip.columns; i++)
        draw_column(&strip, i, terminal);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_text(terminal, "  ");
    terminal_text(terminal, to.text);
    terminal_end_line(terminal);
    draw_marks(&strip, intervals, terminal);
    terminal_end_line(terminal);
}
