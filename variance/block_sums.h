/* block_sums.h - the sums behind the moments, once more for each block of intervals in time order.
 *
 *                    block 0   block 1  ...  block 19        total = sum over the blocks
 *     node           sum, sum of squares, sum of x*L
 *     pair           sum of products
 *
 * What the block jackknife leaves out in turn. Only for what can be a factor: the root (slot 0),
 * nodes that are not blamed, and pairs of those. Owns its arrays.
 */
#ifndef VARIANCE_BLOCK_SUMS_H
#define VARIANCE_BLOCK_SUMS_H

#include <stdint.h>

#include "interval/row_list.h"
#include "stats/jackknife.h"
#include "trace/timeline.h"
#include "variance/interval_table.h"
#include "variance/leaf_sums.h"
#include "variance/site_sums.h"
#include "variance/tree_shape.h"
#include "variance/variance_tree.h"

struct block_sums {
    uint32_t block_count;
    uint64_t *intervals;  /* by block */
    uint32_t *node_slot;  /* by node, or NODE_NONE */
    __int128 *sum;        /* [slot * block_count + block] */
    __int128 *square;     /* the same */
    __int128 *latency;    /* the same */
    uint32_t *pair_slot;  /* by covariance, or NODE_NONE */
    __int128 *product;    /* [slot * block_count + block] */
    uint32_t *first_pair; /* by node: its children's first covariance */
    uint32_t *children;   /* by node: how many it has */
    struct site_sums sites;
    struct leaf_sums leaves; /* of all nodes, blamed or not */
};

/* Joint sums are those of what several nodes take together in an interval. */
struct joint_sums {
    __int128 sum, square;
    __int128 block_sum[JACKKNIFE_BLOCKS], block_square[JACKKNIFE_BLOCKS];
};

/* The function makes the tree's covariances, empty, and room for their sums. */
void block_sums_init(struct block_sums *sums, struct variance_tree *tree, uint64_t intervals);
void block_sums_release(struct block_sums *sums);

/* The function adds what the table's parts added up to the moments of the tree's nodes and
 * covariances, and to the blocks. */
void block_sums_fill(struct block_sums *sums, struct variance_tree *tree,
                     const struct tree_shape *shape, const struct interval_table *table,
                     const struct row_list *rows);

/* The result is the covariance of two siblings. */
uint32_t block_sums_pair(const struct block_sums *sums, const struct variance_tree *tree,
                         uint32_t a, uint32_t b);
/* The result is what a node that is not blamed takes in the intervals of a block. */
static inline __int128 block_sums_sum(const struct block_sums *sums, uint32_t node, uint32_t block)
{
    return sums->sum[(size_t)sums->node_slot[node] * sums->block_count + block];
}

/* The node takes part; the products of those that do with each other are added by whoever knows
 * them. Not for what is blamed. */
void block_sums_join(const struct block_sums *sums, const struct variance_tree *tree, uint32_t node,
                     struct joint_sums *joint);
/* The joint sums of a function's sites are those of column `id` of `sites`. */
void block_sums_join_products(const struct block_sums *sums, uint32_t id, struct joint_sums *joint);
void joint_sums_variance(const struct joint_sums *joint, const struct block_sums *sums,
                         const struct variance_tree *tree, double by, struct jackknife_sum *sum);

/* The function adds `by` times the variance of a node, its covariance with the latency, or the
 * covariance of two siblings to `sum`: of all intervals, and of those outside each block. Not for
 * what is blamed. */
void block_sums_variance(const struct block_sums *sums, const struct variance_tree *tree,
                         uint32_t node, double by, struct jackknife_sum *sum);
void block_sums_with_latency(const struct block_sums *sums, const struct variance_tree *tree,
                             uint32_t node, double by, struct jackknife_sum *sum);
void block_sums_covariance(const struct block_sums *sums, const struct variance_tree *tree,
                           uint32_t a, uint32_t b, double by, struct jackknife_sum *sum);

#endif
