/* pair_sites.h - the sites of a pair that exclude each other.
 *
 *     serve                    a row has get or put: the product of these siblings is 0
 *       get                    so that of parse in one and reply in the other is 0, too:
 *         parse, reply             Cov(parse, reply) = -E[parse] E[reply]
 *       put
 *         parse, reply
 *
 * The covariance of two functions is that of what each takes at all of its sites together, as far
 * as that is known without a sum for each pair of sites: at a common caller, and at sites that
 * exclude each other. What callers have in common that do not exclude each other is told by the
 * pairs of these (docs/decisions/sites-are-one-sum.md).
 */
#ifndef VARIANCE_PAIR_SITES_H
#define VARIANCE_PAIR_SITES_H

#include "variance/block_sums.h"
#include "variance/factor.h"

/* A pair of more sites has those of the greatest contributions compared with each other; and none
 * where all that the functions have in common at their callers is less than a part of the variance
 * that anybody would look at. */
#define PAIR_SITES_MOST 100u
#define PAIR_SITES_LEAST 0.01

/* The result tells whether the functions of a pair are looked for elsewhere than at their
 * callers. */
bool pair_sites_matter(const struct factor *pair);
/* The result is true if no interval has both; siblings, and what stands below one another, do not
 * count as such. */
bool pair_sites_exclude(const struct variance_tree *tree, uint32_t a, uint32_t b);

/* The function adds `by` times the covariances of one function's sites with those of the other that
 * they exclude. */
void pair_sites_add_excluded(const struct factor *factor, const struct variance_tree *tree,
                             const struct block_sums *sums, double by, struct jackknife_sum *sum);

#endif
