/* pairs.h - which children of one parent are long together, or one when the other is short.
 *
 *     uint32_t count;
 *     struct sibling_pair *pairs = pairs_sorted(report->tree, 0.01, &count);
 *     memory_free(pairs);
 *
 * The largest comes first, whatever its sign. Two functions below one parent are one row, however
 * often the tree has them, as under recursion: that of the largest place. Pairs with a blamed node
 * tell of woken-by subtrees.
 */
#ifndef REPORT_VARIANCE_PAIRS_H
#define REPORT_VARIANCE_PAIRS_H

#include "report/variance/variance_report.h"

struct sibling_pair {
    const struct tree_covariance *covariance; /* at its largest place */
    uint32_t others;                          /* places of the same names */
};

/* Gives the pairs whose contribution is at least `least` either way. */
struct sibling_pair *pairs_sorted(const struct variance_tree *tree, double least, uint32_t *count);
/* Finds the factor that sums the pair with the same one elsewhere; NULL where there is none. */
const struct factor *pair_factor(const struct variance_report *report,
                                 const struct tree_covariance *pair);

#endif
