/* width.h - how wide the interval of an effect will be after so much time, and how long a width takes.
 *
 *     struct causal_spread spread = causal_spread_of(latencies, count, 5.0, CAUSAL_P99);      a pilot of 5 s
 *     causal_width_after(&spread, 20, 2.0)         20 blocks of 2 s of each level: +-0.14
 *     causal_width_takes(&spread, 20, 0.1)         s of each level, for +-10 %
 *
 * The error of a logarithm falls with the root of the time. An effect has a level's and, as there are twice as
 * many experiments without a delay, that of the reference, whose square is half as large. The plan is made from how much
 * the pilot varies, and not changed by what is found (Stein, Annals of Mathematical Statistics 16(3), 1945).
 */
#ifndef CAUSAL_WIDTH_H
#define CAUSAL_WIDTH_H

#include "causal/effect.h"

struct causal_spread {
    bool known;
    double
        error_s; /* of the logarithm, after one second: a standard error times the root of a second */
};

/* Of what was seen one after the other in so many seconds: latencies, or for the period the times between
 * units of work. */
struct causal_spread causal_spread_of(const int64_t *values, size_t count, double seconds,
                                      enum causal_metric metric);
/* Half of a 95 % interval's width, as a part; of so many blocks with so many seconds of each level together. */
double causal_width_after(const struct causal_spread *spread, uint32_t blocks, double seconds);
/* "p99", "the mean", "the throughput": what a width is of. */
const char *causal_width_name(enum causal_metric metric);
/* Seconds of each level. */
double causal_width_takes(const struct causal_spread *spread, uint32_t blocks, double width);

#endif
