/* factor_build.h - all factors of a variance tree, ranked.
 *
 *     factor_list_build(&list, &tree, &sums);       then rival.h: which ranks are more than noise
 */
#ifndef VARIANCE_FACTOR_BUILD_H
#define VARIANCE_FACTOR_BUILD_H

#include "variance/block_sums.h"
#include "variance/factor.h"

/* The list is made by VProfiler's Algorithm 1. A function below itself counts once, where it stands
 * highest. Positive contributions are ranked first, then the negative covariances, which take
 * variance away. */
void factor_list_build(struct factor_list *list, const struct variance_tree *tree,
                       const struct block_sums *sums);

#endif
