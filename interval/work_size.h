/* work_size.h - how much of the latency's variance goes with the size of the work.
 *
 *     SI_VALUE(id, "rows", n)       latency = a + slope * rows + the rest
 *                                   explained = Cov(rows, L)^2 / (Var(rows) Var(L))
 *
 * What the values explain is inherent: more was asked for. The rest is what can be avoided. For
 * each name alone, with a 95 % interval (block jackknife of the correlation's atanh), and for the
 * WORK_SIZE_JOINT best names together. Several values of a name in one interval add up; an interval
 * without one counts as 0. A sum beyond -+ 2^47 counts as that, so that all sums are exact integers
 * and merge. The names live in `arena`.
 */
#ifndef INTERVAL_WORK_SIZE_H
#define INTERVAL_WORK_SIZE_H

#include <stdint.h>

#include "base/arena.h"
#include "interval/row_list.h"
#include "stats/regression.h"
#include "trace/timeline.h"

#define WORK_SIZE_JOINT REGRESSION_MOST

/* A value that intervals were given. */
struct interval_value_summary {
    const char *name;
    uint64_t count;                /* intervals that have one */
    __int128 sum, square, latency; /* of v, v*v, v*L over all intervals */
    double mean;
    double slope_ns;  /* how much longer for one more */
    double explained; /* of the latency's variance, by it alone */
    double ci95[2];   /* of that */
};

struct work_size {
    struct interval_value_summary *values; /* the one that explains most first */
    uint32_t value_count;
    double values_explained; /* of the latency's variance, by all values together */
};

void work_size_fill(struct work_size *work, struct arena *arena, const struct row_list *rows,
                    const struct timelines *run);

#endif
