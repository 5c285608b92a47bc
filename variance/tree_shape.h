/* tree_shape.h - which nodes the variance tree has, before any number is in it.
 *
 *     paths of the table            nodes of the tree
 *     interval   own time           interval
 *       serve      own time           serve
 *         parse    own time             parse            a leaf's own time is the leaf's
 *                                       serve [body]     the own time of a node with children
 *                                     [outside timed functions]
 *
 * Nodes stand in breadth-first order, siblings side by side with the largest total first. The nodes
 * and their names go to `tree`; the maps are the shape's own. Borrows the table and the callees.
 */
#ifndef VARIANCE_TREE_SHAPE_H
#define VARIANCE_TREE_SHAPE_H

#include "symbol/callee_table.h"
#include "variance/interval_table.h"
#include "variance/variance_tree.h"

struct tree_shape {
    uint32_t *node_of; /* by path: its node */
    uint32_t *own_of;  /* by path: the leaf that its own time goes to */
};

void tree_shape_build(struct tree_shape *shape, struct variance_tree *tree,
                      const struct interval_table *table, const struct callee_table *callees);
void tree_shape_release(struct tree_shape *shape);

#endif
