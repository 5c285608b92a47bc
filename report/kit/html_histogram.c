/* The histogram shows how often each latency was: bars, and marks where the quantiles are. */
#include "base/utf8.h"
#include "report/kit/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/axis.h"
#include "report/kit/interval_words.h"

enum {
    MARK_ROWS = 5,
    ROW_PIXELS = 16, /* of a quantile's label */
    PLOT_PIXELS = 150,
    AXIS_PIXELS = 24,
    GRID_LINES = 3
};

/* A place is in percent of the width; right of the plot there is room for the label of the last
 * mark. */
#define LEFT 5.0
#define WIDTH 84.0
#define LETTER 1.6 /* the widest that a letter of a label may be, on a small screen */

struct mark {
    const char *name;
    double ns;
    uint32_t row;
};

struct drawing {
    const struct histogram *histogram;
    const struct interval_summary *intervals;
    struct axis axis;
    uint64_t most; /* in one bin */
    struct mark marks[MARK_ROWS];
    uint32_t mark_count;
    double top; /* of the plot, pixels */
    struct str *out;
};

static double x_of(const struct drawing *d, double ns)
{
    return LEFT + WIDTH * axis_at(&d->axis, ns);
}

/* A bar's height goes by the square root, so that one interval is seen beside many. */
static double height(const struct drawing *d, uint64_t count)
{
    double part = sqrt((double)count / (double)d->most);
    return count ? fmax(PLOT_PIXELS * part, 2) : 0;
}

static void add_mark(struct drawing *d, const char *name, double ns)
{
    struct mark *mark = &d->marks[d->mark_count];
    *mark = (struct mark){.name = name, .ns = ns};
    if (d->mark_count) {
        const struct mark *before = mark - 1;
        double letters = (double)(utf8_columns(before->name) + 2 +
                                  utf8_columns(number_ns(before->ns, true).text));
        bool apart = x_of(d, ns) > x_of(d, before->ns) + letters * LETTER;
        mark->row = apart ? 0 : before->row + 1;
    }
    d->mark_count++;
}

static void drawing_init(struct drawing *d, const struct interval_summary *intervals,
                         struct str *out)
{
    const struct histogram *h = &intervals->histogram;
    uint32_t rows = 0;
    *d = (struct drawing){.histogram = h, .intervals = intervals, .out = out};
    d->axis = (struct axis){(double)h->edges[0], (double)h->edges[h->bin_count], h->logarithmic};
    if (h->logarithmic && h->edges[0] == 0)
        d->axis.from = 0.5;
    for (uint32_t i = 0; i < h->bin_count; i++)
        d->most = h->counts[i] > d->most ? h->counts[i] : d->most;
    add_mark(d, "p50", intervals->p50_ns);
    add_mark(d, "p95", intervals->p95_ns);
    add_mark(d, "p99", intervals->p99_ns);
    if (intervals->count >= LEAST_FOR_P999)
        add_mark(d, "p99.9", intervals->p999_ns);
    add_mark(d, "max", intervals->max_ns);
    for (uint32_t i = 0; i < d->mark_count; i++)
        rows = d->marks[i].row >= rows ? d->marks[i].row + 1 : rows;
    d->top = rows * ROW_PIXELS + 6;
}

/* A bound of the axis is 1, 2 or 5 times a power of ten. */
static uint64_t round_down(double count)
{
    double power = pow(10, floor(log10(count)));
    double digit = floor(count / power + 1e-9);
    return (uint64_t)((digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power + 0.5);
}

static void draw_grid(struct drawing *d)
{
    uint64_t before = 0;
    str_printf(d->out, "<text x=\"0\" y=\"%.1f\" class=\"unit\">intervals</text>\n", d->top - 8);
    for (int i = 0; i < GRID_LINES; i++) {
        double part = (GRID_LINES - i) / (double)GRID_LINES;
        uint64_t count = round_down(fmax((double)d->most * part * part, 1));
        if (count == before)
            continue;
        double y = d->top + PLOT_PIXELS - height(d, count);
        str_printf(d->out,
                   "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" dx=\"-6\" y=\"%.1f\" class=\"end\">%s</text>\n",
                   LEFT, LEFT + WIDTH, y, y, LEFT, y + 4, number_count(count).text);
        before = count;
    }
}

/* The slowest intervals are shaded: they are what the waterfall and "of tail" speak of. */
static void draw_tail(struct drawing *d)
{
    double x = x_of(d, d->intervals->p99_ns), right = LEFT + WIDTH;
    if (d->intervals->tail_count < d->intervals->count)
        str_printf(d->out,
                   "<rect class=\"tail\" x=\"%.2f%%\" y=\"%.0f\" width=\"%.2f%%\" "
                   "height=\"%d\"><title>%s interval%s of p99 or more</title></rect>\n",
                   x, d->top, fmax(right - x, 0.1), PLOT_PIXELS,
                   number_count(d->intervals->tail_count).text,
                   number_plural(d->intervals->tail_count));
}

static void write_range(struct str *out, const struct histogram *h, uint32_t bin)
{
    str_printf(out, "%s \u2013 ", number_ns((double)h->edges[bin], true).text);
    str_append(out, number_ns((double)h->edges[bin + 1], true).text);
}

static void draw_bars(struct drawing *d)
{
    const struct histogram *h = d->histogram;
    for (uint32_t i = 0; i < h->bin_count; i++) {
        double x = x_of(d, (double)h->edges[i]), right = x_of(d, (double)h->edges[i + 1]);
        double high = height(d, h->counts[i]);
        if (!h->counts[i])
            continue;
        str_printf(d->out,
                   "<rect class=\"bin\" x=\"%.3f%%\" y=\"%.1f\" width=\"%.3f%%\" "
                   "height=\"%.1f\"><title>",
                   x, d->top + PLOT_PIXELS - high, right - x, high);
        write_range(d->out, h, i);
        str_printf(d->out, ": %s interval%s, ", number_count(h->counts[i]).text,
                   number_plural(h->counts[i]));
        str_printf(d->out, "%s</title></rect>\n",
                   number_percent((double)h->counts[i] / (double)d->intervals->count).text);
    }
}

static void draw_axis(struct drawing *d)
{
    struct axis_tick ticks[AXIS_TICKS];
    double bottom = d->top + PLOT_PIXELS;
    uint32_t count = axis_ticks(&d->axis, 12, true, ticks);
    str_printf(d->out,
               "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
               LEFT + WIDTH, bottom, bottom);
    for (uint32_t i = 0; i < count; i++)
        str_printf(d->out,
                   "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" y=\"%.1f\" class=\"middle%s\">%s</text>\n",
                   x_of(d, ticks[i].ns), x_of(d, ticks[i].ns), bottom, bottom + 4,
                   x_of(d, ticks[i].ns), bottom + 18, i % 2 ? " minor" : "", ticks[i].label.text);
}

static void draw_marks(struct drawing *d)
{
    for (uint32_t i = 0; i < d->mark_count; i++) {
        const struct mark *mark = &d->marks[i];
        double x = x_of(d, mark->ns), y = mark->row * ROW_PIXELS + 12;
        str_printf(d->out,
                   "<line class=\"mark\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" dx=\"4\" y=\"%.1f\" class=\"mark\"><tspan>%s</tspan> "
                   "%s</text>\n",
                   x, x, y - 9, d->top + PLOT_PIXELS, x, y, mark->name,
                   number_ns(mark->ns, true).text);
    }
}

static void write_table(const struct drawing *d)
{
    const struct histogram *h = d->histogram;
    str_append(d->out, "<details><summary>The bars as numbers</summary><table class=\"narrow\">"
                       "<thead><tr><th>latency</th><th class=\"n\">intervals</th></tr></thead>"
                       "<tbody>\n");
    for (uint32_t i = 0; i < h->bin_count; i++) {
        str_append(d->out, "<tr><td>");
        write_range(d->out, h, i);
        str_append(d->out, "</td>");
        html_number_cell(d->out, number_count(h->counts[i]).text, (double)h->counts[i]);
        str_append(d->out, "</tr>\n");
    }
    str_append(d->out, "</tbody></table></details>");
}

static void write_label(const struct drawing *d)
{
    str_printf(
        d->out,
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"histogram\">"
        "<svg class=\"drawing histogram\" height=\"%.0f\" role=\"img\" aria-label=\"Histogram "
        "of the latencies of %s intervals:",
        d->top + PLOT_PIXELS + AXIS_PIXELS, number_count(d->intervals->count).text);
    for (uint32_t i = 0; i < d->mark_count; i++)
        str_printf(d->out, "%s %s %s", i ? "," : "", d->marks[i].name,
                   number_ns(d->marks[i].ns, true).text);
    /* The script needs to know which bar is where. */
    str_append(d->out, "\" id=\"histogram\" data-edges=\"");
    for (uint32_t i = 0; i <= d->histogram->bin_count; i++)
        str_printf(d->out, "%s%.3f", i ? " " : "", x_of(d, (double)d->histogram->edges[i]));
    str_printf(d->out, "\" data-top=\"%.0f\" data-plot=\"%d\">\n", d->top, PLOT_PIXELS);
}

void html_histogram(const struct report *report, struct str *out)
{
    const struct interval_summary *intervals = report->intervals;
    struct drawing d;
    if (intervals->histogram.bin_count < 2)
        return;
    drawing_init(&d, intervals, out);
    str_printf(out,
               "<section><h2>How slow, how often</h2><p class=\"sub\">%sA bar is as high as the "
               "square root of its intervals, so that few are seen beside many.",
               d.histogram->logarithmic ? "Latency on a logarithmic scale. " : "");
    if (intervals->tail_count < intervals->count) {
        str_append(out, " Tinted: ");
        tail_write_name(intervals, out);
        str_append(out, ".");
    }
    str_append(out, "</p>\n");
    write_label(&d);
    draw_tail(&d);
    draw_grid(&d);
    draw_bars(&d);
    draw_axis(&d);
    draw_marks(&d);
    str_append(out, "</svg></div>\n");
    write_table(&d);
    str_append(out, "</section>\n");
}
