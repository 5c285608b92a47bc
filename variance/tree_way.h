/* tree_way.h - whose thread a node of the tree is on, and which function of the program it is in.
 *
 *     interval                        context: the interval's own threads (node 0)
 *       serve                         function serve
 *         pthread_mutex_lock          function serve
 *           compact (woken-by)        context begins here: the waker's thread; function compact
 *             write                   function compact
 *
 * By node; a parent stands before its children.
 */
#ifndef VARIANCE_TREE_WAY_H
#define VARIANCE_TREE_WAY_H

#include "variance/variance_tree.h"

struct tree_way {
    uint32_t context;  /* the node that it begins with, whose parent was waited in; 0: none was */
    uint32_t function; /* the innermost with a body in the tree, of that context; or NODE_NONE */
};

/* A context begins at a node: below what was waited in stands what somebody else did meanwhile. */
bool tree_way_begins(const struct tree_node *node, const struct tree_node *parent);

/* The result is one for each node, to be freed with memory_free(). */
struct tree_way *tree_ways(const struct variance_tree *tree);

/* The function that the one of `node` was called by, in the same context, or NODE_NONE. */
uint32_t tree_way_caller(const struct variance_tree *tree, const struct tree_way *ways,
                         uint32_t node);

#endif
