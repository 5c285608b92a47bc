/* factor_variance.h - the (co)variance that a factor is, with each block of intervals left out.
 *
 *     struct jackknife_sum sum = {0};
 *     factor_add_variance(&factor, &tree, &sums, 1, &sum);
 */
#ifndef VARIANCE_FACTOR_VARIANCE_H
#define VARIANCE_FACTOR_VARIANCE_H

#include "stats/jackknife.h"
#include "variance/block_sums.h"
#include "variance/factor.h"

/* The function adds `by` times the (co)variance that the factor is, over its sites, to `sum`. */
void factor_add_variance(const struct factor *factor, const struct variance_tree *tree,
                         const struct block_sums *sums, double by, struct jackknife_sum *sum);

/* The factor's part of the variance of the latency, which is `whole`: its sites must have theirs.
 */
double factor_contribution(const struct factor *factor, const struct variance_tree *tree,
                           const struct block_sums *sums, const struct jackknife_sum *whole);

#endif
