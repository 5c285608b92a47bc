/* laid_tree.h - the trees of two sides laid over each other: one tree, with what each side has of a node.
 *
 *     serve               A 1.0   B 1.0    with all below   8.0   49.1
 *       parse             A 2.0   B 2.1                     2.0    2.1
 *       compress          A 5.0   B 40.0                    5.0   40.0
 *       audit                     B 6.0                            6.0    new
 *
 *     struct laid_tree tree;
 *     laid_tree_make(&tree, sides, &changes);
 *     tree.nodes[n].below          the change with all below it, and its interval
 *     laid_tree_release(&tree);
 *
 * The first node is the root, and parents stand before their children. A frame of one version that
 * tree_change.h made one with another is told there. Its change is that of its own time; `below`
 * sums it up over all nodes below, block by block.
 */
#ifndef STACKS_LAID_TREE_H
#define STACKS_LAID_TREE_H

#include "stacks/tree_change.h"
#include "stacks/unit_change.h"

struct laid_node {
    uint32_t parent;  /* the root's is CONTEXT_NONE */
    uint32_t node[2]; /* of a side, or CONTEXT_NONE */
    uint32_t change;  /* among the changes; CONTEXT_NONE: it has no own time */
    uint32_t depth;   /* the root's is 0 */
    struct unit_change below;
};

struct laid_tree {
    struct laid_node *nodes;
    size_t count, capacity;
    uint32_t *of[2]; /* by node of a side: that of this tree */
};

/* Borrows all while it works. */
void laid_tree_make(struct laid_tree *laid, const struct change_side sides[2],
                    const struct tree_changes *changes);
void laid_tree_release(struct laid_tree *laid);
/* The side that its frame is taken of: B, if B has it. */
static inline int laid_node_side(const struct laid_node *node)
{
    return node->node[1] != CONTEXT_NONE;
}

#endif
