/* Latency over the run: a dot for each interval, in the shade of the line of the root ledger that has
 * most of it. */
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/kit/axis.h"
#include "report/variance/outline.h"

enum {
    TOP_PIXELS = 8,
    PLOT_PIXELS = 170,
    AXIS_PIXELS = 24,
    GRID = 1000, /* dots are put on a grid of that many steps each way */
    LEAST_DOTS = 20
};

#define LEFT 6.0 /* percent of the width */
#define WIDTH 92.0

struct drawing {
    const struct variance_report *report;
    struct axis time, latency;
    uint32_t *shades; /* by row */
    bool met[LEDGER_SHADES + 1];
    struct str *out;
};

/* Gives the line that has most of a row. */
static uint32_t most_of(const struct variance_report *report, const struct shown_row *row,
                        int64_t *by_line)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < report->roots->count; i++)
        by_line[i] = 0;
    for (size_t c = 0; c < row->cell_count; c++) {
        const struct cell *cell = &report->rows->cells[row->first_cell + c];
        uint32_t owner = report->tree->nodes[cell->node].owner;
        if (owner != NODE_NONE) /* a trace that grew since has calls where a leaf was */
            by_line[owner] += cell->own_ns;
    }
    for (uint32_t i = 1; i < report->roots->count; i++)
        most = by_line[i] > by_line[most] ? i : most;
    return most;
}

static void drawing_init(struct drawing *d, const struct variance_report *report, struct str *out)
{
    const struct shown_rows *rows = report->rows;
    const struct interval_summary *intervals = &report->tree->intervals;
    int64_t *by_line = memory_alloc(sizeof *by_line * report->roots->count);
    *d = (struct drawing){.report = report, .out = out};
    d->shades = memory_zeroed(sizeof *d->shades * rows->count);
    d->time = (struct axis){INFINITY, 0, false};
    for (uint32_t r = 0; r < rows->count; r++) {
        d->shades[r] = ledger_shade(report->roots, most_of(report, &rows->rows[r], by_line));
        d->met[d->shades[r]] = true;
        d->time.from = fmin(d->time.from, (double)rows->rows[r].begin_ns);
        d->time.to = fmax(d->time.to, (double)rows->rows[r].begin_ns);
    }
    const struct histogram *h = &intervals->histogram;
    d->latency = (struct axis){(double)h->edges[0], (double)h->edges[h->bin_count], h->logarithmic};
    if (h->logarithmic)
        d->latency.from = fmax(d->latency.from, 0.5);
    memory_free(by_line);
}

static double y_of(const struct drawing *d, double ns)
{
    return TOP_PIXELS + PLOT_PIXELS * (1 - axis_at(&d->latency, ns));
}

static void draw_axes(struct drawing *d)
{
    struct axis_tick ticks[AXIS_TICKS];
    double bottom = TOP_PIXELS + PLOT_PIXELS;
    uint32_t count = axis_ticks(&d->latency, 6, true, ticks);
    for (uint32_t i = 0; i < count; i++) {
        double y = y_of(d, ticks[i].ns);
        str_printf(d->out,
                   "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" dx=\"-6\" y=\"%.1f\" class=\"end\">%s</text>\n",
                   LEFT, LEFT + WIDTH, y, y, LEFT, y + 4, ticks[i].label.text);
    }
    str_printf(d->out,
               "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
               LEFT + WIDTH, bottom, bottom);
    count = axis_ticks(&d->time, 8, true, ticks);
    for (uint32_t i = 0; i < count; i++) {
        double x = LEFT + WIDTH * axis_at(&d->time, ticks[i].ns);
        str_printf(d->out,
                   "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text x=\"%.2f%%\" y=\"%.1f\" class=\"middle%s\">%s</text>\n",
                   x, x, bottom, bottom + 4, x, bottom + 18, i % 2 ? " minor" : "",
                   ticks[i].label.text);
    }
}

static void draw_dots(struct drawing *d, uint32_t shade)
{
    const struct shown_rows *rows = d->report->rows;
    if (!d->met[shade])
        return;
    str_printf(d->out, "<path class=\"dots w%u\" d=\"", shade);
    for (uint32_t r = 0; r < rows->count; r++) {
        if (d->shades[r] != shade)
            continue;
        double x = axis_at(&d->time, (double)rows->rows[r].begin_ns);
        double y = 1 - axis_at(&d->latency, (double)rows->rows[r].latency_ns);
        str_printf(d->out, "M%.0f,%.0fh0", x * GRID, y * GRID);
    }
    str_append(d->out, "\"/>\n");
}

/* The strongest shade is drawn last: it is what one looks for. */
static void draw(struct drawing *d)
{
    str_printf(d->out,
               "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"latency over the "
               "run\"><svg class=\"drawing run\" id=\"run\" height=\"%d\" role=\"img\" "
               "aria-label=\"Latency of %s intervals over the run\">\n",
               TOP_PIXELS + PLOT_PIXELS + AXIS_PIXELS, number_count(d->report->rows->count).text);
    draw_axes(d);
    str_printf(d->out,
               "<svg x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\" viewBox=\"0 0 %d %d\" "
               "preserveAspectRatio=\"none\" overflow=\"visible\">\n",
               LEFT, TOP_PIXELS, WIDTH, PLOT_PIXELS, GRID, GRID);
    draw_dots(d, 0);
    for (uint32_t shade = LEDGER_SHADES; shade > 0; shade--)
        draw_dots(d, shade);
    str_append(d->out, "</svg></svg></div>\n");
}

static void write_legend(struct drawing *d)
{
    const struct root_ledger *ledger = d->report->roots;
    str_append(d->out, "<p class=\"note legend\">");
    for (uint32_t i = 0; i < ledger->count; i++) {
        uint32_t shade = ledger_shade(ledger, i);
        if (!shade || !d->met[shade])
            continue;
        str_printf(d->out, "<span><i class=\"swatch w%u\"></i> ", shade);
        html_short(d->out, ledger->lines[i].name, 60);
        str_append(d->out, "</span> ");
    }
    if (d->met[0])
        str_append(d->out, "<span><i class=\"swatch w0\"></i> another</span>");
    str_append(d->out, "</p>\n");
}

static void write_words(const struct drawing *d)
{
    const struct shown_rows *rows = d->report->rows;
    uint64_t all = d->report->tree->intervals.count;
    str_printf(d->out,
               "<section><h2>Latency over the run</h2><p class=\"sub\">A dot is an interval, where "
               "it began, in the colour of who has most of its time%s. ",
               d->latency.logarithmic ? "; latency on a logarithmic scale" : "");
    if (rows->count < all)
        str_printf(d->out,
                   "Drawn: %s of %s, all of the rarer latencies and some of the frequent ones.",
                   number_count(rows->count).text, number_count(all).text);
    str_append(d->out, "</p>\n");
}

void html_run_time(const struct variance_report *report, struct str *out)
{
    struct drawing d;
    if (!report->rows || report->rows->count < LEAST_DOTS || !report->roots->count ||
        !outline_varies(report->tree))
        return;
    drawing_init(&d, report, out);
    write_words(&d);
    draw(&d);
    write_legend(&d);
    str_append(out, "</section>\n");
    memory_free(d.shades);
}
