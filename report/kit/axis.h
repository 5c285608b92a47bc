/* axis.h - from a time to a place on a scale, and where to put its labels.
 *
 *     struct axis axis = {.from = 1e5, .to = 1e7, .logarithmic = true};
 *     axis_at(&axis, 1e6)                                       0.5
 *     struct axis_tick ticks[AXIS_TICKS];
 *     axis_ticks(&axis, 8, true, ticks)                         7: 100 us, 200 us, ... 10 ms
 *
 * Ticks are 1, 2 or 5 times a power of ten; within less than a factor of ten or so, multiples of
 * such a step. A logarithmic axis begins above 0. A time that is off the scale is at its end.
 */
#ifndef REPORT_KIT_AXIS_H
#define REPORT_KIT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/number.h"

enum { AXIS_TICKS = 24 };

struct axis {
    double from, to; /* ns */
    bool logarithmic;
};

struct axis_tick {
    double ns;
    struct number label; /* "1 ms", "250 us" */
};

double axis_at(const struct axis *axis, double ns); /* 0 to 1 */
/* Gives the number of ticks: at most `most`, which is at most AXIS_TICKS. */
uint32_t axis_ticks(const struct axis *axis, uint32_t most, bool utf8, struct axis_tick *ticks);

#endif
