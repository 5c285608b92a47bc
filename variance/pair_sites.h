/* pair_sites.h - the sites of a pair that exclude each other.
 *
 *     serve                    a row has get or put: the product of these siblings is 0
 *       get                    so that of parse in one and reply in the other is 0, too:
 *         parse, reply             Cov(parse, reply) = -E[parse] E[reply]
 *       put
 *         parse, reply
 *
 * The covariance of two functions is that of what each takes at all of its sites together, as far
 * as that is known without a sum for each pair of sites: within one caller, and between callers
 * that exclude each other. What callers have in common that do not exclude each other is told by
 * the pairs of these (docs/decisions/sites-are-one-sum.md).
 */
#ifndef VARIANCE_PAIR_SITES_H
#define VARIANCE_PAIR_SITES_H

#include "variance/block_sums.h"
#include "variance/factor.h"

/* Of more sites, those of the greatest contributions are compared with each other. */
#define PAIR_SITES_MOST 100u

/* Adds `by` times the covariances of one function's sites with the other's elsewhere. */
void pair_sites_add_excluded(const struct factor *factor, const struct variance_tree *tree,
                             const struct block_sums *sums, double by, struct jackknife_sum *sum);

#endif
