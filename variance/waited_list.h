/* waited_list.h - who was waited for: what a function did over all waits together.
 *
 *     compact      31 % of the variance, 4.1 ms of a mean interval, in 3 waits
 *
 * The nodes of one name below calls that blocked (woken-by), each where it stands highest: of what
 * they take together in an interval the mean, the contribution and the share, with 95 % intervals.
 * They are parts of the waits' time, and no factors (docs/decisions/woken-by-is-not-a-factor.md).
 */
#ifndef VARIANCE_WAITED_LIST_H
#define VARIANCE_WAITED_LIST_H

#include "variance/variance_tree.h"

/* A function of which neither the contribution nor the share is as much is not listed. */
#define WAITED_LEAST 0.001

struct waited {
    const char *name;
    uint32_t node;  /* that of the largest share */
    uint32_t sites; /* in the tree */
    double mean_ns, contribution, ci95[2], share, share_ci95[2], tail_share;
};

struct waited_list {
    struct waited *items; /* the largest share first; of the tree's arena */
    uint32_t count;
};

struct block_sums;

void waited_list_build(struct waited_list *list, struct variance_tree *tree,
                       const struct block_sums *sums);

#endif
