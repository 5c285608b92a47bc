/* change.h - is a number of B better, worse or no different from that of A, and how sure is that?
 *
 *     whole      block 0   block 1  ...               B's block b is set against A's block b
 *     B - A      without 0 without 1
 *
 *                     low    0    high                the margins
 *     better     [----] |         |                   the interval lies below both
 *     not different     |  [----] |                   between them
 *     worse             |         | [----]            above both
 *     inconclusive     [----]   [----]                else: it holds a margin
 *
 * One rule: a change is worse where its whole interval lies above the margin, better where A would
 * be worse if the two were swapped, not different where it lies between the two, and otherwise
 * inconclusive. So the verdicts leave nothing out and exclude each other, and "better" takes the
 * evidence that "worse" does.
 *
 * A change is (b - a) / latency: for the latency itself `latency` is a, for a factor the same
 * metric of A's latency, so that what is 50 % slower but takes 1 % of the time changed by 0.5 %.
 * The interval of the latency's is that of log(b/a), so that with A and B swapped 1 + change
 * becomes 1 / (1 + change), in both ends and in the margins; that of a factor's is Fieller's, and
 * its margins are equally far from 0. Both from the block jackknife (stats/jackknife.h). Of a
 * quantile it reaches at least as far as Woodruff's intervals of the two sides let the difference
 * go (Zou and Donner, 2008, with the correlation of the blocks), which see the gaps between heaps
 * of values.
 *
 * Where one side is 0 whatever is left out there is no ratio: what counts is whether the other is
 * told from 0. Two sides that are both 0 are not different.
 */
#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include <stdbool.h>

#include "stats/blocked.h"

enum metric {
    METRIC_MEAN,
    METRIC_VARIANCE,
    METRIC_P99,
    METRIC_P50, /* this and what follows get no verdict */
    METRIC_P999,
    METRIC_COUNT,
    METRIC_JUDGED = METRIC_P50
};
const char *metric_name(enum metric metric); /* "p99.9" */
double metric_quantile(enum metric metric);  /* 0: it is none */
/* The margin of a variance is what it grows by if all times do by `margin`. */
double metric_margin(enum metric metric, double margin);
/* The margins are those of a shrunken and of a grown value; of a factor's in parts of A's latency. */
void metric_margins(enum metric metric, double margin, bool of_factor, double margins[2]);
/* A side must have so many intervals at the least. */
double metric_least_count(enum metric metric);

enum verdict { VERDICT_NONE, VERDICT_BETTER, VERDICT_SAME, VERDICT_INCONCLUSIVE, VERDICT_WORSE };
const char *verdict_name(enum verdict verdict); /* "not different"; NULL for none */

/* A change has no interval for one of these reasons. */
enum change_gap {
    GAP_NONE,
    GAP_FEW,   /* intervals: a metric wants metric_least_count() */
    GAP_ZERO,  /* one side is 0: there is no ratio to it, or of it */
    GAP_UNSURE /* A's latency is not told from 0, or there are too few blocks */
};

/* More than so many times as many intervals, or as much as A, is more than is known. */
#define CHANGE_MOST_TIMES 100

#define CHANGE_OUTSIDE 0.05 /* of ci95 */

struct change_rule {
    double margin;
    double outside; /* the level of `together`; 0: no verdict */
    double count;   /* intervals of the side that has fewer */
    uint32_t blocks;
    const struct quantile_reach *reach; /* of A and B; NULL: it is no quantile */
};

struct change {
    bool applies;        /* the metric means something here: a covariance has no p99 */
    bool enough;         /* intervals for it; else there is no interval */
    double a, b;         /* ns; of a variance ns^2 */
    double change;       /* INFINITY where A's is 0; NAN where the latency's metric is */
    double ci95[2];      /* infinite: not bounded */
    double together[2];  /* with 95 % these intervals hold in all rows at once */
    enum change_gap gap; /* why the one that is shown is not bounded */
    double margins[2];
    enum verdict verdict;
    bool not_worse; /* whatever else it is: its interval lies below the upper margin */
    double more;    /* if inconclusive: about how many times as many intervals it takes */
};

/* The arguments are all of one metric. `latency` is that of A's; NULL: the sides are the
 * latency's. */
void change_judge(struct change *change, enum metric metric, const struct jackknife_sum sides[2],
                  const struct jackknife_sum *latency, const struct change_rule *rule);
/* The interval that goes with the verdict; without a verdict that of the change for itself. */
const double *change_shown(const struct change *change);
bool change_is_told(const struct change *change); /* that interval does not hold 0 */

#endif
