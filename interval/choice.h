/* choice.h - which intervals of a run are worth a look, by their numbers in intervals.csv.
 *
 *     struct interval_choice choice;
 *     interval_choice_init(&choice, &run, &tree.intervals);
 *     choice.intervals[choice.slowest]                        index in the timelines
 *     interval_choice_release(&choice);
 */
#ifndef INTERVAL_CHOICE_H
#define INTERVAL_CHOICE_H

#include "interval/summary.h"
#include "trace/timeline.h"

struct interval_choice {
    uint32_t *intervals; /* by number: the complete ones */
    uint32_t count;
    uint32_t typical, slow, slowest; /* numbers: nearest to p50, nearest to p99, the longest */
};

void interval_choice_init(struct interval_choice *choice, const struct timelines *run,
                          const struct interval_summary *summary);
void interval_choice_release(struct interval_choice *choice);

#endif
