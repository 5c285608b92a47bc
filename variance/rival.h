/* rival.h - whether a factor's place in the ranking is more than noise.
 *
 *     1  lock_wait   score 8.1    rival 3, separated: another run would rank it before `parse` too
 *     2  serve       score 8.0    holds lock_wait: tells of the same time, is no rival
 *     3  parse       score 2.2
 *
 * A factor's rival is the first one after it in the ranking none of whose sites is above or below
 * one of its own. It is separated where the difference of the two scores is told from 0: their
 * difference without each block, by the block jackknife, so that what both have in common cancels
 * out. That is asked of the best against the next best, which is as safe as asking one pair
 * (Gutmann and Maymin, "Is the selected population the best?", 1987): where no factor is special,
 * the first is called separated in 5 % of the runs at the most. Without a rival its own
 * (co)variance must be told from 0. Judged are the first RIVAL_RANKS factors; negative ones are
 * never separated.
 */
#ifndef VARIANCE_RIVAL_H
#define VARIANCE_RIVAL_H

#include "variance/block_sums.h"
#include "variance/factor.h"

#define RIVAL_RANKS 64u

/* The function sets `rival` and `separated` of the ranked factors of `list`. */
void rivals_find(struct factor_list *list, const struct variance_tree *tree,
                 const struct block_sums *sums);

#endif
