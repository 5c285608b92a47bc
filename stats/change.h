/* change.h - is a number of B more than a margin above that of A, and how sure is that?
 *
 *     whole      block 0   block 1  ...               B's block b is set against A's block b
 *     B - A      without 0 without 1
 *
 *                      0         margin
 *     not worse   [--|--]          |                  the interval lies below the margin
 *     inconclusive      [----------|---]
 *     worse                        | [------]         it lies above
 *
 * A change is (b - a) / latency: for the latency itself `latency` is a, for a factor the same
 * metric of A's latency, so that what is 50 % slower but takes 1 % of the time changed by 0.5 %.
 * The interval of the latency's is that of log(b/a), so that with A and B swapped 1 + change
 * becomes 1 / (1 + change), in both ends; that of a factor's is Fieller's. Both from the block
 * jackknife (stats/jackknife.h).
 */
#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include <stdbool.h>

#include "stats/jackknife.h"

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
/* A side must have so many intervals at the least. */
double metric_least_count(enum metric metric);

enum verdict { VERDICT_NONE, VERDICT_NOT_WORSE, VERDICT_INCONCLUSIVE, VERDICT_WORSE };
const char *verdict_name(enum verdict verdict); /* "not worse"; NULL for none */

#define CHANGE_OUTSIDE 0.05 /* of ci95 */

struct change_rule {
    double margin;
    double outside; /* the level of `together`; 0: no verdict */
    double count;   /* intervals of the side that has fewer */
    uint32_t blocks;
};

struct change {
    bool applies;       /* the metric means something here: a covariance has no p99 */
    bool enough;        /* intervals for it; else there is no interval */
    double a, b;        /* ns; of a variance ns^2 */
    double change;      /* NAN where the latency's metric is 0 */
    double ci95[2];     /* infinite: not bounded */
    double together[2]; /* with 95 % these intervals hold in all rows at once */
    enum verdict verdict;
    double more; /* if inconclusive: about how many times as many intervals it takes */
};

/* The arguments are all of one metric. `latency` is that of A's; NULL: the sides are the
 * latency's. */
void change_judge(struct change *change, enum metric metric, const struct jackknife_sum sides[2],
                  const struct jackknife_sum *latency, const struct change_rule *rule);

#endif
