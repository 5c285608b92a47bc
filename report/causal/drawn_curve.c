#include "report/causal/drawn_curve.h"

#include <math.h>

#include "report/causal/causal_second.h"

/* An interval is drawn so far beyond the points, as parts of the widest change (chosen). */
#define REACH 0.25
/* And by this, however small all changes are (chosen). */
#define LEAST_REACH 0.15
/* No scale is finer (chosen). */
#define LEAST_RANGE 0.05
/* What lies beyond the last label by less of a step needs no further one (chosen). */
#define NEAR 0.02

static bool is_drawn(const struct causal_change *change)
{
    return causal_is_told(change) && isfinite(change->value);
}

static void add_replayed(struct drawn_curve *curve, const struct causal *causal,
                         const struct causal_part *part)
{
    for (uint32_t l = 1; l < part->samples.level_count && curve->replayed_count < CURVE_MOST_POINTS;
         l++) {
        if (!causal_has_second(part, l))
            continue;
        struct drawn_point point = {l, part->samples.levels[l].share,
                                    causal_replay_change_of(causal, part, l, curve->shown)};
        if (is_drawn(&point.change))
            curve->replayed[curve->replayed_count++] = point;
    }
}

struct drawn_curve drawn_curve_of(const struct causal *causal, const struct causal_part *part,
                                  enum causal_shown shown)
{
    enum causal_metric metric = causal_metric_of(shown);
    struct drawn_curve curve = {.shown = shown, .count = 1};
    curve.points[0].change.known = true;
    for (uint32_t l = 1; l < part->samples.level_count && curve.count <= CURVE_MOST_POINTS; l++) {
        struct drawn_point point = {l, part->samples.levels[l].dose,
                                    causal_change_of(causal, part, l, shown)};
        if (!is_drawn(&point.change) || !(point.x > curve.points[curve.count - 1].x))
            continue;
        curve.points[curve.count++] = point;
        curve.told += point.change.differs;
    }
    if (curve.count > 1 && part->curves[metric].pieces)
        curve.fitted = &part->curves[metric];
    curve.kinks = curve.fitted && curve.told ? curve.fitted->pieces - 1 : 0;
    curve.hurts = curve.count > 1 && part->hurts[metric];
    add_replayed(&curve, causal, part);
    return curve;
}

double drawn_curve_fit(const struct drawn_curve *curve, double x)
{
    if (!curve->fitted || x > curve->points[curve->count - 1].x + 1e-9)
        return NAN;
    double ratio = curve_at(curve->fitted, x);
    return ratio > 0 ? causal_shown_ratio(ratio, curve->shown) - 1 : NAN;
}

bool drawn_curve_band(const struct drawn_curve *curve, double x, double band[2])
{
    for (uint32_t i = 1; i < curve->count; i++) {
        const struct drawn_point *from = &curve->points[i - 1], *to = &curve->points[i];
        if (x > to->x + 1e-9)
            continue;
        double part = (x - from->x) / (to->x - from->x);
        for (int side = 0; side < 2; side++)
            band[side] =
                from->change.ci95[side] + part * (to->change.ci95[side] - from->change.ci95[side]);
        return true;
    }
    return false;
}

static void widen(struct drawn_scale *scale, double low, double high)
{
    if (isfinite(low))
        scale->low = fmin(scale->low, low);
    if (isfinite(high))
        scale->high = fmax(scale->high, high);
}

/* A step of 1, 2 or 5 times a power of ten, of which no more than `most` lie between the ends. */
static double step_of(double range, uint32_t most)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(range / most)));
    for (int i = 0; i < 3; i++)
        if (range / (steps[i] * power) <= most)
            return steps[i] * power;
    return steps[3] * power;
}

static void round_ends(struct drawn_scale *scale, uint32_t most_ticks)
{
    if (scale->high - scale->low < LEAST_RANGE)
        scale->high = scale->low + LEAST_RANGE;
    scale->step = step_of(scale->high - scale->low, most_ticks);
    scale->low = scale->step * floor(scale->low / scale->step + NEAR);
    scale->high = scale->step * ceil(scale->high / scale->step - NEAR);
}

struct drawn_scale drawn_scale_of(const struct drawn_curve *curves, uint32_t count,
                                  uint32_t most_ticks)
{
    struct drawn_scale points = {0, 0, 0}, scale;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 1; i < curves[c].count; i++)
            widen(&points, curves[c].points[i].change.value, curves[c].points[i].change.value);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < curves[c].replayed_count; i++)
            widen(&points, curves[c].replayed[i].change.value, curves[c].replayed[i].change.value);
    double reach = fmax(REACH * (points.high - points.low), LEAST_REACH);
    scale = points;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 1; i < curves[c].count; i++) {
            const double *ci95 = curves[c].points[i].change.ci95;
            widen(&scale, fmax(ci95[0], points.low - reach), fmin(ci95[1], points.high + reach));
        }
    scale.low = fmax(scale.low, -1);
    round_ends(&scale, most_ticks);
    return scale;
}

void drawn_scale_join(struct drawn_scale *scale, const struct drawn_scale *other,
                      uint32_t most_ticks)
{
    widen(scale, other->low, other->high);
    round_ends(scale, most_ticks);
}
