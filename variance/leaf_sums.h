/* leaf_sums.h - what each node takes in the intervals of each block, whether it is blamed or not.
 *
 *                    block 0           block 1   ...
 *     node           sum, sum of x*L   sum, sum of x*L
 *
 * Sums that those of several nodes add up to, so that the share of any set of leaves has an
 * interval (variance/block_sums.h has what a variance needs, of what is not blamed). Owns its
 * array.
 */
#ifndef VARIANCE_LEAF_SUMS_H
#define VARIANCE_LEAF_SUMS_H

#include "variance/interval_table.h"
#include "variance/tree_shape.h"
#include "variance/variance_tree.h"

struct leaf_sums {
    struct path_line *lines; /* [node * JACKKNIFE_BLOCKS + block] */
};

void leaf_sums_init(struct leaf_sums *sums, const struct variance_tree *tree,
                    const struct tree_shape *shape, const struct interval_table *table);
void leaf_sums_release(struct leaf_sums *sums);

static inline const struct path_line *leaf_sums_at(const struct leaf_sums *sums, uint32_t node)
{
    return sums->lines + (size_t)node * JACKKNIFE_BLOCKS;
}

#endif
