/* recursion.h - the tree with a function that calls itself as one node, for reading.
 *
 *     visit                              visit x3
 *       usleep       10 %                  usleep       30 %
 *       visit                              [body]        5 %
 *         usleep     10 %        ->
 *         visit
 *           usleep   10 %
 *           [body]    5 %
 *
 * The outer call's time holds that of the inner ones. What lies below any of them is one node for
 * each kind and name: times and shares add up; variances do not, so those and the contributions of
 * such nodes are NAN. Only calls right below their own function; not across a wait.
 * The tree itself has no more than TREE_LEVELS of them: "visit x16+".
 * Borrows the tree; recursion_release frees the rest.
 */
#ifndef REPORT_VARIANCE_RECURSION_H
#define REPORT_VARIANCE_RECURSION_H

#include <stdbool.h>
#include <stdint.h>

#include "variance/variance_tree.h"

struct recursion {
    struct variance_tree tree; /* its nodes are its own, and there are no covariances */
    uint32_t *node_of;         /* by node of the tree it was made from */
    bool any;                  /* something calls itself */
    struct arena arena;
};

void recursion_fold(struct recursion *fold, const struct variance_tree *tree, bool utf8);
void recursion_release(struct recursion *fold);

#endif
