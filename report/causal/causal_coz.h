/* causal_coz.h - the experiments as a profile.coz, which Coz's own viewer opens.
 *
 *   experiment     selected=src/parse.c:40  speedup=0.4987  duration=60012345  selected-samples=118
 *   throughput-point  name=intervals completed  delta=59
 *   experiment     selected=src/parse.c:40  speedup=0.4987  duration=41023456  selected-samples=118
 *   latency-point  name=interval latency  arrivals=60  departures=60  difference=1
 *   samples        location=src/parse.c:40  count=3127
 *   runtime        time=12000000000
 *
 * Tabs part the fields. A block of one level is one experiment. The viewer divides durations by deltas, which gives the
 * period. Of latencies it knows the mean, by Little's law: difference x duration / arrivals; as it reads whole numbers
 * alone, the duration is chosen so that a whole number of intervals in progress gives the mean that was measured. It
 * draws a latency that becomes shorter below zero.
 */
#ifndef REPORT_CAUSAL_CAUSAL_COZ_H
#define REPORT_CAUSAL_CAUSAL_COZ_H

#include "report/causal/causal_page.h"

void causal_write_coz(const struct causal_page *page, struct str *out);

#endif
