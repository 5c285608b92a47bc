/* node_blocks.h - what each node of a tree took in each block of intervals, in sums.
 *
 *     struct node_blocks blocks;
 *     node_blocks_init(&blocks, tree, 20);
 *     node_blocks_add(&blocks, block, row, latency_ns);        each row, in any order
 *     node_blocks_finish(&blocks, tree);                       leaves' sums become those of nodes
 *     struct jackknife_sum mean = {0};
 *     node_blocks_mean(&blocks, node, &mean);
 *
 * Sums of a time x and of x * L, both exact: they add up over the tree and over any set of nodes
 * that hold no node of each other, as those of a ledger's line. So the mean and Cov(x, L) of such a
 * set are the sums that mean and covariance are added to. Owns its arrays.
 */
#ifndef VARIANCE_NODE_BLOCKS_H
#define VARIANCE_NODE_BLOCKS_H

#include "stats/jackknife.h"
#include "variance/cell_rows.h"

struct node_blocks {
    uint32_t block_count;
    uint32_t node_count;
    uint64_t rows[JACKKNIFE_BLOCKS];
    __int128 latency[JACKKNIFE_BLOCKS];
    __int128 *time;    /* [node * block_count + block] */
    __int128 *product; /* the same, of x * L */
};

void node_blocks_init(struct node_blocks *blocks, const struct variance_tree *tree,
                      uint32_t block_count);
void node_blocks_release(struct node_blocks *blocks);
void node_blocks_add(struct node_blocks *blocks, uint32_t block, const struct cell_row *row,
                     int64_t latency_ns);
void node_blocks_finish(struct node_blocks *blocks, const struct variance_tree *tree);

/* Both add to `sum`. No block may hold all rows. */
void node_blocks_mean(const struct node_blocks *blocks, uint32_t node, struct jackknife_sum *sum);
void node_blocks_covariance(const struct node_blocks *blocks, uint32_t node,
                            struct jackknife_sum *sum);

#endif
