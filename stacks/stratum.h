/* stratum.h - what was seen of a time that is known as a whole: it is shared out over contexts by that.
 *
 *     a thread ran 3.2 s; of 320 samples, 32 were in A, 288 in B:      A 0.32 s +- 0.05, B 2.88 s +- 0.05
 *     it waited 1.5 s for the disk, of that 0.5 s with stacks          the other second goes the same way
 *
 * The ratio estimate (Cochran, Sampling Techniques, chapter 6): a context that has the part p of all weights
 * has p of the time, and with V the sum of the weights' variances
 *     variance = (time / weights)^2 ((1 - 2 p) V of its own + p^2 V of all)
 * which for samples of one weight is time^2 p (1 - p) / n. Few samples tell little of what they all agree in,
 * or none of them does: the variance is never less than that of p = 1 / (2 n + 2).
 */
#ifndef STACKS_STRATUM_H
#define STACKS_STRATUM_H

#include "base/hash_map.h"
#include "stacks/context_tree.h"
#include "trace/timeline.h"

struct stratum_part {
    uint32_t node;
    uint64_t weight;
    double variance;
    time_ns time; /* after stratum_share */
};

struct stratum {
    struct stratum_part *parts;
    size_t count, capacity;
    struct hash_map of; /* node -> 1 + part */
    uint64_t weight;    /* of all */
    uint64_t seen;      /* so often one was added */
    double variance;
};

void stratum_add(struct stratum *stratum, uint32_t node, uint64_t weight, double variance);
/* Gives each part its time; they add up to `time`. Without weights there are none. */
void stratum_share(struct stratum *stratum, time_ns time);
/* The variance of one part's share, without what is below it. */
double stratum_variance(const struct stratum *stratum, time_ns time,
                        const struct stratum_part *part);
void stratum_clear(struct stratum *stratum); /* empty again; keeps the memory */
void stratum_release(struct stratum *stratum);

/* By node: what is in it or below it. All zero between two strata. */
struct stratum_below {
    uint64_t weight;
    double variance;
};
/* Adds to `variance`, by node, what the shares of the contexts are off; of those that are at least
 * `least_depth` deep, as what is above them is known exactly. `below` has room for the tree's nodes. */
void stratum_spread(const struct stratum *stratum, time_ns time, const struct context_tree *tree,
                    uint32_t least_depth, struct stratum_below *below, double *variance);

#endif
