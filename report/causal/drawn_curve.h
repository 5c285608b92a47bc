/* drawn_curve.h - a number's changes by level, as text and page draw them.
 *
 *     struct drawn_curve curve = drawn_curve_of(causal, part, SHOWN_P99);
 *     curve.points[2].x, .change          half of its time is gone: -41 % (-52 .. -30)
 *     drawn_curve_fit(&curve, 0.3)        what was fitted through the points, at 30 %
 *     struct drawn_scale scale = drawn_scale_of(curves, count);      for all of them
 *
 * x is the part of the target's time that really was gone. The first point is at 0, where nothing changes. Points that
 * are not known, or not told, are left out. Borrows the part.
 */
#ifndef REPORT_CAUSAL_DRAWN_CURVE_H
#define REPORT_CAUSAL_DRAWN_CURVE_H

#include "report/causal/causal_words.h"

struct drawn_point {
    uint32_t level;
    double x;
    struct causal_change change;
};

struct drawn_curve {
    enum causal_shown shown;
    struct drawn_point points[CURVE_MOST_POINTS + 1];
    uint32_t count; /* 1: there is nothing to draw */
    uint32_t told;  /* points that differ from 0 */
    /* What the recorded run says, worked out again; none at 0. */
    struct drawn_point replayed[CURVE_MOST_POINTS];
    uint32_t replayed_count;
    const struct curve *fitted;
    uint32_t kinks; /* of what was fitted; where nothing is told, none is */
    bool hurts;     /* making it faster makes it worse, from some level on */
};

/* Changes from low to high, both multiples of step; 0 lies within. */
struct drawn_scale {
    double low, high, step;
};

struct drawn_curve drawn_curve_of(const struct causal *causal, const struct causal_part *part,
                                  enum causal_shown shown);
/* NAN where nothing was fitted, or beyond the last point. */
double drawn_curve_fit(const struct drawn_curve *curve, double x);
/* The ends of the 95 % interval, straight from point to point; false beyond the last one. */
bool drawn_curve_band(const struct drawn_curve *curve, double x, double band[2]);
/* Every point is within; an interval may reach beyond, where it is far wider than the changes. */
struct drawn_scale drawn_scale_of(const struct drawn_curve *curves, uint32_t count,
                                  uint32_t most_ticks);
/* So that both fit; a zeroed one takes no room. */
void drawn_scale_join(struct drawn_scale *scale, const struct drawn_scale *other,
                      uint32_t most_ticks);

#endif
