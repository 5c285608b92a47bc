/* causal_interval.h - a run's intervals, as experiments ask for them.
 *
 *     uint32_t i = causal_interval_from(run, from - longest);       the first that can end in the window
 *
 * Intervals are by their begins (trace/timeline.h).
 */
#ifndef CAUSAL_CAUSAL_INTERVAL_H
#define CAUSAL_CAUSAL_INTERVAL_H

#include "trace/timeline.h"

/* The first that begins at `time` or later. */
uint32_t causal_interval_from(const struct timelines *run, time_ns time);
/* How long the longest of those takes that have ended. */
time_ns causal_interval_longest(const struct timelines *run);
/* It has ended, and is of that type; NULL: of any. */
bool causal_interval_is_of(const struct interval *interval, const char *type);

#endif
