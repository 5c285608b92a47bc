/* tree_build.h - the variance tree of the rows of a run.
 *
 *     struct variance_tree tree;
 *     struct block_sums sums;
 *     variance_tree_build(&tree, &sums, &run, &rows, &callees);
 */
#ifndef VARIANCE_TREE_BUILD_H
#define VARIANCE_TREE_BUILD_H

#include "interval/row_list.h"
#include "symbol/callee_table.h"
#include "trace/timeline.h"
#include "variance/block_sums.h"
#include "variance/variance_tree.h"

/* The tree is that of the rows, of which there must be one at least; `sums` is filled in, too. */
void variance_tree_build(struct variance_tree *tree, struct block_sums *sums,
                         const struct timelines *run, const struct row_list *rows,
                         struct callee_table *callees);

#endif
