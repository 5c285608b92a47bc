/* Two histograms on one scale: the same bins, and bars of a height that is a part of each side's
 * own intervals, so that sides of different numbers can be laid one over the other. */
#include "report/variance/compare_html.h"

#include <math.h>

#include "base/utf8.h"
#include "report/kit/axis.h"

enum { PANEL_PIXELS = 96, LABEL_PIXELS = 18, AXIS_PIXELS = 26, MARKS = 3 };

/* A place is in percent of the width. */
#define LEFT 4.0
#define WIDTH 86.0
#define LETTER 0.95 /* the widest that a letter of a label may be */

struct panels {
    const struct comparison *comparison;
    struct axis axis;
    double most; /* the greatest part in one bin */
    struct str *out;
};

struct mark {
    const char *name;
    struct number value;
    double x;
};

static double x_of(const struct panels *p, double ns)
{
    return LEFT + WIDTH * axis_at(&p->axis, ns);
}

static double part_of(const struct panels *p, int side, uint32_t bin)
{
    double count = (double)p->comparison->histograms[side].counts[bin];
    return count / (double)p->comparison->intervals[side];
}

static void panels_init(struct panels *p, const struct comparison *comparison, struct str *out)
{
    const struct histogram *h = &comparison->histograms[0];
    *p = (struct panels){.comparison = comparison, .out = out};
    p->axis = (struct axis){(double)h->edges[0], (double)h->edges[h->bin_count], h->logarithmic};
    if (h->logarithmic && h->edges[0] == 0)
        p->axis.from = 0.5;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < h->bin_count; i++)
            p->most = fmax(p->most, part_of(p, s, i));
}

/* A bar's height goes by the square root, so that one interval is seen beside many. */
static double height(const struct panels *p, int side, uint32_t bin)
{
    double part = part_of(p, side, bin);
    return part > 0 ? fmax((PANEL_PIXELS - LABEL_PIXELS) * sqrt(part / p->most), 2) : 0;
}

static double bottom_of(int side)
{
    return (side + 1) * PANEL_PIXELS;
}

static double top_of(int side)
{
    return side * PANEL_PIXELS;
}

static void draw_bars(const struct panels *p, int side)
{
    const struct histogram *h = &p->comparison->histograms[side];
    for (uint32_t i = 0; i < h->bin_count; i++) {
        double x = x_of(p, (double)h->edges[i]), right = x_of(p, (double)h->edges[i + 1]);
        double high = height(p, side, i);
        if (high == 0)
            continue;
        str_printf(p->out,
                   "<rect class=\"bin %s\" x=\"%.3f%%\" y=\"%.1f\" width=\"%.3f%%\" "
                   "height=\"%.1f\"><title>%s: ",
                   side ? "b" : "a", x, bottom_of(side) - high, right - x, high, side ? "B" : "A");
        str_printf(p->out, "%s \u2013 ", number_ns((double)h->edges[i], true).text);
        str_printf(p->out, "%s: ", number_ns((double)h->edges[i + 1], true).text);
        str_printf(p->out, "%s interval%s, ", number_count(h->counts[i]).text,
                   number_plural(h->counts[i]));
        str_printf(p->out, "%s</title></rect>\n", number_percent(part_of(p, side, i)).text);
    }
}

/* The marks of a side are its quantiles, as far as there are intervals enough. */
static bool find_mark(const struct panels *p, int side, int mark, struct mark *found)
{
    static const enum metric marks[MARKS] = {METRIC_P50, METRIC_P99, METRIC_P999};
    const struct change *change = &p->comparison->rows[0].changes[marks[mark]];
    double ns = side ? change->b : change->a;
    *found = (struct mark){metric_name(marks[mark]), number_ns(ns, true), x_of(p, ns)};
    return change->enough || marks[mark] == METRIC_P50;
}

static void draw_lines(const struct panels *p, int side)
{
    struct mark mark;
    for (int i = 0; i < MARKS; i++)
        if (find_mark(p, side, i, &mark))
            str_printf(p->out,
                       "<line class=\"mark\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" "
                       "y2=\"%.1f\"/>\n",
                       mark.x, mark.x, top_of(side) + 4, bottom_of(side));
}

/* A label that would stand over the one before is left out: the cards have every number. */
static void draw_labels(const struct panels *p, int side)
{
    double free_from = -1;
    struct mark mark;
    for (int i = 0; i < MARKS; i++) {
        if (!find_mark(p, side, i, &mark) || mark.x < free_from)
            continue;
        str_printf(p->out,
                   "<text x=\"%.2f%%\" dx=\"4\" y=\"%.1f\" class=\"mark\"><tspan>%s</tspan> "
                   "%s</text>\n",
                   mark.x, top_of(side) + 13, mark.name, mark.value.text);
        free_from = mark.x + LETTER * (double)(utf8_columns(mark.value.text) + 7);
    }
}

static void draw_axis(const struct panels *p)
{
    struct axis_tick ticks[AXIS_TICKS];
    uint32_t count = axis_ticks(&p->axis, 12, true, ticks);
    for (int s = 0; s < 2; s++)
        str_printf(p->out,
                   "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"0\" y=\"%.1f\" class=\"panel\">%s</text>\n",
                   LEFT, LEFT + WIDTH, bottom_of(s), bottom_of(s), bottom_of(s) - 6, s ? "B" : "A");
    for (uint32_t i = 0; i < count; i++)
        str_printf(p->out,
                   "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" y=\"%.1f\" class=\"middle\">%s</text>\n",
                   x_of(p, ticks[i].ns), x_of(p, ticks[i].ns), bottom_of(1) + 4,
                   x_of(p, ticks[i].ns), bottom_of(1) + 18, ticks[i].label.text);
}

void html_compare_histogram(const struct comparison *comparison, struct str *out)
{
    struct panels p;
    if (comparison->histograms[0].bin_count < 2)
        return;
    panels_init(&p, comparison, out);
    str_printf(out,
               "<section><h2>How slow, how often: A above B</h2><p class=\"sub\">One scale for "
               "both. %sA bar is as high as the square root of its part of that side's intervals, "
               "so that few are seen beside many.</p>\n<div class=\"wide\" tabindex=\"0\" "
               "role=\"group\" aria-label=\"histograms\"><svg class=\"drawing panels\" "
               "height=\"%d\" role=\"img\" aria-label=\"Histograms of the latencies of A and of B "
               "on one scale\">\n",
               p.axis.logarithmic ? "Latency on a logarithmic scale. " : "",
               2 * PANEL_PIXELS + AXIS_PIXELS);
    draw_axis(&p);
    for (int s = 0; s < 2; s++) {
        draw_bars(&p, s);
        draw_lines(&p, s);
        draw_labels(&p, s);
    }
    str_append(out, "</svg></div></section>\n");
}
