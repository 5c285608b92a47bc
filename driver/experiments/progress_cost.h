/* progress_cost.h - what it costs that the processor tells of the calls which are units of work (--progress).
 *
 *     struct progress_gaps before = progress_gaps_now(delays);
 *     ...while nothing is slowed down...
 *     progress_cost(delays, &before)        0.05: of the time from a thread's call to its next one it is stopped for 5 %
 */
#ifndef DRIVER_EXPERIMENTS_PROGRESS_COST_H
#define DRIVER_EXPERIMENTS_PROGRESS_COST_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/delay_format.h"

struct progress_gaps {
    uint64_t count, ns;
};

struct progress_gaps progress_gaps_now(const struct trace_delays *delays);
/* 0 where it is not known, or nothing is told so. */
double progress_cost(const struct trace_delays *delays, const struct progress_gaps *before);
/* False: it is so much that another program would be looked at. */
bool progress_cost_check(const struct trace_delays *delays, double share, struct error *error);

#endif
