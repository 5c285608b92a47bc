/* outlier.h - a few intervals that have most of the variance by themselves.
 *
 *     17,999 intervals of 1 ms, and one of 119 ms      its part of the variance: 0.98
 *
 * As long as one event owns the variance, shares tell of that event and of nothing else. Then the
 * same intervals are taken apart once more without it, and it is told by itself: how long it took,
 * and whose time that was (what all intervals have in the root ledger and the others have not).
 *
 * The fewest of the slowest that have OUTLIER_PART of all squared deviations from the mean, if
 * that is at most one in OUTLIER_ONE_IN, and OUTLIER_MOST. Numbers are chosen.
 */
#ifndef VARIANCE_OUTLIER_H
#define VARIANCE_OUTLIER_H

#include "interval/row_list.h"
#include "trace/timeline.h"
#include "variance/root_ledger.h"

#define OUTLIER_PART 0.5
enum { OUTLIER_MOST = 10, OUTLIER_ONE_IN = 500 };

struct outliers {
    uint32_t count; /* 0: none own the variance */
    double part;    /* of the squared deviations from the mean */
    time_ns least_ns, most_ns;
    time_ns begin_ns;                /* of the slowest, since the run's first record */
    const struct ledger_line *cause; /* of all; NULL: not worked out */
    double cause_ns;                 /* of the outliers' time, all together */
};

time_ns run_first_record(const struct timelines *run);
void outliers_find(struct outliers *outliers, const struct row_list *rows,
                   const struct timelines *run);
/* The cause is the line of `all` that has most of what the others do not have. */
void outliers_explain(struct outliers *outliers, const struct root_ledger *all,
                      const struct root_ledger *others);

#endif
