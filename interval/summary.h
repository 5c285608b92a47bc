/* summary.h - the latencies themselves: how many, how long, how spread, by type.
 *
 * Of the rows of an interval table. Quantiles as in stats/quantile.h. Names and types live in
 * `arena`; there are no types where no interval was given one. With n_t of a type's intervals that
 * make S_t together, and n and S of all,
 *     between types = sum of n_t/n (S_t/n_t - S/n)^2    within types = sum of n_t/n Var_t
 * (the law of total variance): the sums by type are exact and add up to those of all intervals.
 */
#ifndef INTERVAL_SUMMARY_H
#define INTERVAL_SUMMARY_H

#include <stdint.h>

#include "base/arena.h"
#include "interval/row_list.h"
#include "interval/work_size.h"
#include "stats/histogram.h"

enum { SUMMARY_PERCENTILES = 99 };

struct interval_type_summary {
    const char *name;
    uint64_t count;
    double mean_ns;
    double variance_ns2;
    __int128 sum, square; /* of the latency */
};

struct interval_summary {
    uint64_t count; /* complete intervals: the n of every moment */
    uint64_t incomplete;
    double mean_ns, variance_ns2, stddev_ns;
    double min_ns, p50_ns, p95_ns, p99_ns, p999_ns, max_ns; /* p999: 99.9 % */
    uint64_t tail_count;                                    /* of a latency of p99_ns or more */
    double percentiles_ns[SUMMARY_PERCENTILES];             /* p1, p2, ... p99 */
    struct histogram histogram;
    struct interval_type_summary *types;
    uint32_t type_count;
    double between_types_ns2, within_types_ns2; /* together the variance */
    struct work_size work;                      /* the values that intervals were given */
};

void interval_summary_fill(struct interval_summary *summary, struct arena *arena,
                           const struct row_list *rows, const struct timelines *run);

#endif
