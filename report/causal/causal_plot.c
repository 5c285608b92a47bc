#include "report/causal/causal_plot.h"

#include <math.h>
#include <string.h>

#include "report/causal/drawn_curve.h"

enum {
    MARGIN = 4,
    LABEL = 7,       /* "-100 % " */
    LEAST_WIDE = 25, /* of a plot, without its label */
    MOST_WIDE = 41,
    MOST_ROWS = 9,
    MOST_TICKS = 4,
    BETWEEN = 2
};

enum sign { SIGN_NONE, SIGN_BAND, SIGN_ZERO, SIGN_CURVE, SIGN_UNTOLD, SIGN_TOLD, SIGN_COUNT };

struct plot {
    struct drawn_curve curve;
    struct drawn_scale scale;
    uint32_t rows, columns, rows_of_step;
};

/* ---- what stands where ---- */

static double x_of(const struct plot *plot, uint32_t column)
{
    return (double)column / (plot->columns - 1);
}

static uint32_t column_of(const struct plot *plot, double x)
{
    return (uint32_t)lround(fmin(fmax(x, 0), 1) * (plot->columns - 1));
}

static uint32_t row_of(const struct plot *plot, double change)
{
    double part = (plot->scale.high - change) / (plot->scale.high - plot->scale.low);
    return (uint32_t)lround(fmin(fmax(part, 0), 1) * (plot->rows - 1));
}

static enum sign point_at(const struct plot *plot, uint32_t row, uint32_t column)
{
    for (uint32_t i = 0; i < plot->curve.count; i++) {
        const struct drawn_point *point = &plot->curve.points[i];
        if (column_of(plot, point->x) == column && row_of(plot, point->change.value) == row)
            return !i ? SIGN_CURVE : point->change.differs ? SIGN_TOLD : SIGN_UNTOLD;
    }
    return SIGN_NONE;
}

static enum sign sign_at(const struct plot *plot, uint32_t row, uint32_t column)
{
    enum sign point = point_at(plot, row, column);
    double x = x_of(plot, column), fitted = drawn_curve_fit(&plot->curve, x), band[2];
    if (point)
        return point;
    if (isfinite(fitted) && row_of(plot, fitted) == row)
        return SIGN_CURVE;
    if (row_of(plot, 0) == row)
        return SIGN_ZERO;
    bool within = drawn_curve_band(&plot->curve, x, band) && row_of(plot, band[1]) <= row &&
                  row <= row_of(plot, band[0]);
    return within ? SIGN_BAND : SIGN_NONE;
}

/* ---- lines ---- */

static void write_sign(enum sign sign, struct terminal *terminal)
{
    static const char *const signs[SIGN_COUNT][2] = {{" ", " "},      {"\u2591", ":"},
                                                     {"\u2500", "-"}, {"\u2022", "."},
                                                     {"\u25cb", "o"}, {"\u25cf", "*"}};
    bool faint = sign == SIGN_BAND || sign == SIGN_ZERO;
    terminal_paint(terminal, faint ? PAINT_FAINT : sign == SIGN_TOLD ? PAINT_STRONG : PAINT_PLAIN);
    terminal_text(terminal, terminal_either(terminal, signs[sign][0], signs[sign][1]));
    terminal_paint(terminal, PAINT_PLAIN);
}

static void write_label(const struct plot *plot, uint32_t row, struct terminal *terminal)
{
    struct str label = {0};
    if (row % plot->rows_of_step == 0) {
        double change = plot->scale.high - row / plot->rows_of_step * plot->scale.step;
        str_printf(&label, "%.0f %% ", 100 * change + 0.0);
    }
    terminal_paint(terminal, PAINT_FAINT);
    terminal_right(terminal, str_text(&label), LABEL);
    terminal_paint(terminal, PAINT_PLAIN);
    str_release(&label);
}

static void write_row(const struct plot *plot, uint32_t row, struct terminal *terminal)
{
    if (row >= plot->rows) {
        terminal_left(terminal, "", LABEL + plot->columns);
        return;
    }
    write_label(plot, row, terminal);
    for (uint32_t column = 0; column < plot->columns; column++)
        write_sign(sign_at(plot, row, column), terminal);
}

static bool is_kink(const struct plot *plot, uint32_t column)
{
    const struct curve *fitted = plot->curve.fitted;
    for (uint32_t k = 0; k < plot->curve.kinks; k++)
        if (column_of(plot, fitted->kinks[k].from) <= column &&
            column <= column_of(plot, fitted->kinks[k].to))
            return true;
    return false;
}

static void write_axis(const struct plot *plot, struct terminal *terminal)
{
    terminal_left(terminal, "", LABEL);
    for (uint32_t column = 0; column < plot->columns; column++) {
        bool kink = is_kink(plot, column);
        terminal_paint(terminal, kink ? PAINT_STRONG : PAINT_FAINT);
        terminal_text(terminal, kink ? terminal_either(terminal, "\u25b2", "^")
                                     : terminal_either(terminal, "\u2500", "-"));
        terminal_paint(terminal, PAINT_PLAIN);
    }
}

static void write_levels(const struct plot *plot, struct terminal *terminal)
{
    terminal_left(terminal, "", LABEL);
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "0 %", plot->columns / 2 - 1);
    terminal_left(terminal, "50 %", plot->columns - plot->columns / 2 - 4);
    terminal_right(terminal, "100 %", 5);
    terminal_paint(terminal, PAINT_PLAIN);
}

static void write_name(const struct plot *plot, struct terminal *terminal)
{
    struct str name = {0};
    str_append(&name, causal_shown_names[plot->curve.shown]);
    if (plot->curve.hurts)
        str_append(&name, ": faster hurts");
    terminal_left(terminal, "", LABEL);
    terminal_paint(terminal, plot->curve.hurts ? PAINT_WARM : PAINT_STRONG);
    terminal_left(terminal, name.data, plot->columns);
    terminal_paint(terminal, PAINT_PLAIN);
    str_release(&name);
}

/* ---- the plots ---- */

/* Each row of the labels stands for a step, and so do those between them. */
static void scale_rows(struct plot *plot)
{
    uint32_t steps = (uint32_t)lround((plot->scale.high - plot->scale.low) / plot->scale.step);
    plot->rows_of_step = steps > 4 ? 1 : (MOST_ROWS - 1) / steps;
    plot->rows = steps * plot->rows_of_step + 1;
}

/* In the order in which a sentence tells them. */
static uint32_t choose(const struct causal *causal, const struct causal_part *part,
                       struct plot plots[SHOWN_COUNT])
{
    static const enum causal_shown order[SHOWN_COUNT] = {SHOWN_MEAN, SHOWN_SD, SHOWN_P99,
                                                         SHOWN_THROUGHPUT, SHOWN_P50};
    uint32_t count = 0;
    for (int i = 0; i < SHOWN_COUNT; i++) {
        struct plot *plot = &plots[count];
        if (!causal_is_shown(causal, order[i]))
            continue;
        *plot = (struct plot){.curve = drawn_curve_of(causal, part, order[i])};
        if (!plot->curve.told)
            continue;
        plot->scale = drawn_scale_of(&plot->curve, 1, MOST_TICKS);
        scale_rows(plot);
        count++;
    }
    return count;
}

static void write_line(const struct plot *plots, uint32_t count,
                       void (*write)(const struct plot *, struct terminal *),
                       struct terminal *terminal)
{
    terminal_left(terminal, "", MARGIN);
    for (uint32_t p = 0; p < count; p++) {
        terminal_left(terminal, "", p ? BETWEEN : 0);
        write(&plots[p], terminal);
    }
    terminal_end_line(terminal);
}

static void write_beside(const struct plot *plots, uint32_t count, struct terminal *terminal)
{
    uint32_t rows = 0;
    for (uint32_t p = 0; p < count; p++)
        rows = plots[p].rows > rows ? plots[p].rows : rows;
    write_line(plots, count, write_name, terminal);
    for (uint32_t row = 0; row < rows; row++) {
        terminal_left(terminal, "", MARGIN);
        for (uint32_t p = 0; p < count; p++) {
            terminal_left(terminal, "", p ? BETWEEN : 0);
            write_row(&plots[p], row, terminal);
        }
        terminal_end_line(terminal);
    }
    write_line(plots, count, write_axis, terminal);
    write_line(plots, count, write_levels, terminal);
}

void causal_write_plots(const struct causal *causal, const struct causal_part *part,
                        struct terminal *terminal)
{
    struct plot plots[SHOWN_COUNT];
    uint32_t count = choose(causal, part, plots);
    uint32_t room = terminal->style.columns - MARGIN;
    uint32_t beside = (room + BETWEEN) / (LABEL + LEAST_WIDE + BETWEEN);
    beside = beside > count ? count : beside;
    if (!beside)
        return;
    uint32_t wide = (room + BETWEEN) / beside - BETWEEN - LABEL;
    for (uint32_t p = 0; p < beside; p++)
        plots[p].columns = ((wide > MOST_WIDE ? MOST_WIDE : wide) - 1) | 1; /* 50 % has a column */
    write_beside(plots, beside, terminal);
}

void causal_write_plot_key(struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_wrap(terminal, "  ",
                  terminal_either(
                      terminal,
                      "Curves: the change if so much of its time were gone. \u25cf differs from 0, "
                      "\u25cb is not told from 0, \u2022 the fitted curve, \u2591 95 % intervals, "
                      "\u25b2 where the curve bends.",
                      "Curves: the change if so much of its time were gone. * differs from 0, o is "
                      "not told from 0, . the fitted curve, : 95 % intervals, ^ where the curve "
                      "bends."));
    terminal_paint(terminal, PAINT_PLAIN);
}
