#include "report/kit/axis.h"

#include <math.h>
#include <stdio.h>

double axis_at(const struct axis *axis, double ns)
{
    double part = axis->to - axis->from;
    if (!(part > 0))
        return 0;
    double at = (ns - axis->from) / part;
    if (axis->logarithmic)
        at = ns > axis->from ? log(ns / axis->from) / log(axis->to / axis->from) : 0;
    return at > 1 ? 1 : at > 0 ? at : 0;
}

/* The label is a round number in the largest unit that keeps it whole, or nearly so. */
static struct number tick_label(double ns, bool utf8)
{
    static const struct {
        double ns;
        const char *name, *ascii;
    } units[] = {{1e9, "s", "s"}, {1e6, "ms", "ms"}, {1e3, "\u00b5s", "us"}, {1, "ns", "ns"}};
    struct number label;
    uint32_t unit = 0;
    while (unit < 3 && ns < units[unit].ns * 0.9999)
        unit++;
    snprintf(label.text, sizeof label.text, "%.6g %s", ns / units[unit].ns,
             utf8 ? units[unit].name : units[unit].ascii);
    return ns > 0 ? label : (struct number){"0"};
}

static uint32_t linear_ticks(const struct axis *axis, uint32_t most, bool utf8,
                             struct axis_tick *ticks)
{
    double power = pow(10, floor(log10((axis->to - axis->from) / most)));
    static const double steps[] = {1, 2, 5, 10, 20};
    uint32_t count = 0, choice = 0;
    while (choice < 4 && floor(axis->to / (steps[choice] * power) + 1e-9) -
                                 ceil(axis->from / (steps[choice] * power) - 1e-9) + 1 >
                             most)
        choice++;
    double step = steps[choice] * power;
    for (double k = ceil(axis->from / step - 1e-9);
         k * step <= axis->to * (1 + 1e-9) && count < most; k++)
        ticks[count++] = (struct axis_tick){k * step, tick_label(k * step, utf8)};
    return count;
}

/* The ticks are the powers of ten that are multiples of `every`, times each of the factors. */
static uint32_t log_ticks(const struct axis *axis, uint32_t every, const double *factors,
                          uint32_t most, bool utf8, struct axis_tick *ticks)
{
    uint32_t count = 0;
    double low = axis->from * (1 - 1e-9), high = axis->to * (1 + 1e-9);
    for (int power = (int)floor(log10(axis->from)); pow(10, power) <= high; power++)
        for (const double *factor = factors; *factor > 0; factor++) {
            double ns = *factor * pow(10, power);
            if (power % (int)every != 0 || ns < low || ns > high)
                continue;
            if (count == most)
                return most + 1;
            ticks[count++] = (struct axis_tick){ns, tick_label(ns, utf8)};
        }
    return count;
}

uint32_t axis_ticks(const struct axis *axis, uint32_t most, bool utf8, struct axis_tick *ticks)
{
    static const double all[] = {1, 2, 5, 0}, some[] = {1, 3, 0}, one[] = {1, 0};
    if (!(axis->to > axis->from))
        return 0;
    if (!axis->logarithmic || axis->to < axis->from * 8)
        return linear_ticks(axis, most, utf8, ticks);
    uint32_t count = log_ticks(axis, 1, all, most, utf8, ticks);
    if (count > most)
        count = log_ticks(axis, 1, some, most, utf8, ticks);
    for (uint32_t every = 1; count > most; every++)
        count = log_ticks(axis, every, one, most, utf8, ticks);
    return count;
}
