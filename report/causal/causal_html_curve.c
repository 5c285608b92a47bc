/* A curve: the band of the 95 % intervals, the points, what was fitted through them, and its kinks. */
#include <math.h>

#include "report/causal/causal_html_parts.h"

/* In pixels of the picture, which is drawn as large as there is room. */
enum { LEFT = 52, RIGHT = 20, TOP = 14, BOTTOM = 20, WIDE = 176, HIGH = 128, FIT_STEPS = 60 };

struct drawing {
    const struct drawn_curve *curve;
    const struct drawn_scale *scale;
    struct str *out;
};

static double x_of(double share)
{
    return WIDE * share;
}

static double y_of(const struct drawing *d, double change)
{
    return HIGH * (d->scale->high - change) / (d->scale->high - d->scale->low);
}

/* An end that is not finite is far off the picture. */
static double end_of(const struct drawing *d, double change)
{
    double far = d->scale->high - d->scale->low;
    return y_of(d, fmin(fmax(change, d->scale->low - far), d->scale->high + far));
}

/* ---- around the curve ---- */

static void write_grid(const struct drawing *d)
{
    int count = (int)lround((d->scale->high - d->scale->low) / d->scale->step);
    for (int i = 0; i <= count; i++) {
        double change = d->scale->high - i * d->scale->step, y = TOP + y_of(d, change);
        bool zero = fabs(change) < d->scale->step / 2;
        str_printf(d->out,
                   "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text class=\"end\" x=\"%d\" y=\"%.1f\">%s%.0f\u00a0%%</text>",
                   zero ? "axis" : "grid", LEFT, LEFT + WIDE, y, y, LEFT - 5, y + 4,
                   change > d->scale->step / 2 ? "+" : "", zero ? 0 : 100 * change);
    }
    for (int part = 0; part <= 100; part += 25)
        str_printf(d->out, "<text class=\"middle%s\" x=\"%.1f\" y=\"%d\">%d%s</text>",
                   part % 50 ? " minor" : "", LEFT + x_of(part / 100.0), TOP + HIGH + 15, part,
                   part == 100 ? "\u00a0%" : "");
}

static void write_kink(const struct drawing *d, const struct curve_kink *kink)
{
    double from = x_of(kink->from), to = x_of(kink->to);
    str_printf(d->out,
               "<g class=\"kink\"><rect x=\"%.1f\" width=\"%.1f\" y=\"0\" height=\"%d\"/>"
               "<title>the curve bends at %.0f %%",
               from - 0.7, fmax(to - from, 0) + 1.4, HIGH, 100 * kink->from);
    if (to - from > 0.5)
        str_printf(d->out, " to %.0f %%", 100 * kink->to);
    str_append(d->out, "</title></g>");
}

static void write_kink_labels(const struct drawing *d)
{
    const struct curve *fitted = d->curve->fitted;
    double free_from = 0; /* of a label's middle: two of them must not touch */
    for (uint32_t k = 0; k < d->curve->kinks; k++) {
        double middle = x_of((fitted->kinks[k].from + fitted->kinks[k].to) / 2);
        if (middle < free_from)
            continue;
        str_printf(d->out, "<text class=\"middle kink\" x=\"%.1f\" y=\"%d\">%.0f", LEFT + middle,
                   TOP - 4, 100 * fitted->kinks[k].from);
        if (fitted->kinks[k].to - fitted->kinks[k].from > 0.005)
            str_printf(d->out, "\u2026%.0f", 100 * fitted->kinks[k].to);
        str_append(d->out, "\u00a0%</text>");
        free_from = middle + 50;
    }
}

/* ---- the curve ---- */

static void write_band(const struct drawing *d)
{
    const struct drawn_curve *curve = d->curve;
    str_append(d->out, "<polygon class=\"band\" points=\"");
    for (uint32_t i = 0; i < curve->count; i++)
        str_printf(d->out, "%.1f,%.1f ", x_of(curve->points[i].x),
                   end_of(d, curve->points[i].change.ci95[1]));
    for (uint32_t i = curve->count; i-- > 1;)
        str_printf(d->out, "%.1f,%.1f ", x_of(curve->points[i].x),
                   end_of(d, curve->points[i].change.ci95[0]));
    str_append(d->out, "\"/>");
}

static void write_fit(const struct drawing *d)
{
    double last = d->curve->points[d->curve->count - 1].x;
    bool drawn = false;
    if (!d->curve->fitted)
        return;
    str_append(d->out, "<polyline class=\"fit\" points=\"");
    for (int i = 0; i <= FIT_STEPS; i++) {
        double x = last * i / FIT_STEPS, change = drawn_curve_fit(d->curve, x);
        if (isfinite(change))
            str_printf(d->out, "%s%.1f,%.1f", drawn ? " " : "", x_of(x), end_of(d, change));
        drawn = drawn || isfinite(change);
    }
    str_append(d->out, "\"/>");
}

static const char *class_of(const struct causal_change *change, enum causal_shown shown)
{
    bool better = (change->value > 0) == (shown == SHOWN_THROUGHPUT);
    return !change->differs ? "untold" : better ? "better" : "worse";
}

static void write_point(const struct drawing *d, const struct drawn_point *point)
{
    struct str text = {0};
    double x = x_of(point->x);
    causal_append_change(&point->change, &text);
    str_printf(d->out,
               "<g class=\"%s\" data-level=\"%u\" data-change=\"%.9g\"><line x1=\"%.1f\" "
               "x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\"/>"
               "<title>%.1f %% faster: ",
               class_of(&point->change, d->curve->shown), point->level, point->change.value, x, x,
               end_of(d, point->change.ci95[1]), end_of(d, point->change.ci95[0]), x,
               y_of(d, point->change.value), 100 * point->x);
    html_tied(d->out, text.data);
    str_append(d->out, "</title></g>");
    str_release(&text);
}

/* The recorded run, worked out again. */
static void write_replayed(const struct drawing *d)
{
    const struct drawn_curve *curve = d->curve;
    if (!curve->replayed_count)
        return;
    str_printf(d->out, "<polyline class=\"again\" points=\"%.1f,%.1f", x_of(0), y_of(d, 0));
    for (uint32_t i = 0; i < curve->replayed_count; i++)
        str_printf(d->out, " %.1f,%.1f", x_of(curve->replayed[i].x),
                   end_of(d, curve->replayed[i].change.value));
    str_append(d->out, "\"/>");
    for (uint32_t i = 0; i < curve->replayed_count; i++) {
        const struct drawn_point *point = &curve->replayed[i];
        struct str text = {0};
        causal_append_change(&point->change, &text);
        str_printf(d->out,
                   "<rect class=\"again\" data-again=\"%.9g\" x=\"%.1f\" y=\"%.1f\" "
                   "width=\"5\" height=\"5\"><title>%.1f %% faster, the recorded run worked out "
                   "again: ",
                   point->change.value, x_of(point->x) - 2.5, end_of(d, point->change.value) - 2.5,
                   100 * point->x);
        html_tied(d->out, text.data);
        str_append(d->out, "</title></rect>");
        str_release(&text);
    }
}

/* What reaches beyond the scale is cut off; points at the edge are not. */
static void write_plot(const struct drawing *d)
{
    const struct curve *fitted = d->curve->fitted;
    str_printf(d->out,
               "<svg class=\"inner\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"-6 -6 "
               "%d %d\">",
               LEFT - 6, TOP - 6, WIDE + 12, HIGH + 12, WIDE + 12, HIGH + 12);
    for (uint32_t k = 0; k < d->curve->kinks; k++)
        write_kink(d, &fitted->kinks[k]);
    write_band(d);
    write_fit(d);
    write_replayed(d);
    for (uint32_t i = 1; i < d->curve->count; i++)
        write_point(d, &d->curve->points[i]);
    str_append(d->out, "</svg>");
}

static void write_caption(const struct causal_part *part, const struct drawn_curve *curve,
                          struct str *out)
{
    struct str base = {0};
    causal_append_base(part, curve->shown, true, &base);
    str_printf(out, "<figcaption><b>%s</b> <small>%s</small>", causal_shown_names[curve->shown],
               base.data);
    if (curve->hurts)
        str_append(out, " <em>faster hurts</em>");
    str_append(out, "</figcaption>");
    str_release(&base);
}

/* The reason is that of the last level; all have the same as a rule. */
static void write_reason(const struct causal *causal, const struct causal_part *part,
                         const struct drawn_curve *curve, struct str *out)
{
    struct str reason = {0};
    uint32_t levels = part->samples.level_count;
    if (levels > 1)
        causal_append_reason(causal, part, levels - 1, curve->shown, &reason);
    str_append(out, "<p>");
    html_tied(out,
              causal->outside && curve->shown == SHOWN_THROUGHPUT ? "Not told: " : "Not known: ");
    html_tied(out, reason.length ? reason.data : "no experiment of it came to its end");
    str_append(out, ".</p>");
    str_release(&reason);
}

void html_causal_curve(const struct causal *causal, const struct causal_part *part,
                       const struct drawn_curve *curve, const struct drawn_scale *scale,
                       struct str *out)
{
    struct drawing d = {curve, scale, out};
    bool drawn = curve->count > 1;
    str_printf(out, "<figure class=\"curve%s%s\" data-shown=\"%s\">", drawn ? "" : " none",
               curve->hurts ? " hurts" : "", causal_shown_keys[curve->shown]);
    write_caption(part, curve, out);
    if (drawn) {
        str_printf(out, "<svg class=\"effect\" viewBox=\"0 0 %d %d\" role=\"img\">",
                   LEFT + WIDE + RIGHT, TOP + HIGH + BOTTOM);
        write_grid(&d);
        write_plot(&d);
        write_kink_labels(&d);
        str_append(out, "</svg>");
    } else
        write_reason(causal, part, curve, out);
    str_append(out, "</figure>\n");
}
