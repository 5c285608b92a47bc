/* outline.h - the tree in reading order: which children are worth a line, the largest first.
 *
 *     struct outline outline;
 *     outline_init(&outline, tree, 0.01);
 *     const struct outline_list *list = &outline.lists[node];
 *     list->nodes[0 .. list->shown)             worth a line, by share
 *     list->nodes[list->shown .. list->count)   the rest: "n more"
 *
 * A node is worth a line when its share or contribution, or that of a node below it, is at least
 * `least` either way. Where nothing varies the mean takes the place of the share.
 * Borrows the tree; outline_release frees the rest.
 */
#ifndef REPORT_VARIANCE_OUTLINE_H
#define REPORT_VARIANCE_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "variance/variance_tree.h"

struct outline_list {
    const uint32_t *nodes;
    uint32_t shown;
    uint32_t count;
};

struct outline {
    const struct variance_tree *tree;
    struct outline_list *lists; /* by parent */
    uint32_t *nodes;
};

void outline_init(struct outline *outline, const struct variance_tree *tree, double least);
void outline_release(struct outline *outline);

bool outline_varies(const struct variance_tree *tree); /* the latency has a variance */
/* A node is drawn by its share, or by its part of the mean where nothing varies. */
double outline_weight(const struct variance_tree *tree, uint32_t node);
/* A node matters by itself where its weight or its contribution is at least `least`, either way. */
bool outline_matters(const struct variance_tree *tree, uint32_t node, double least);
/* Tells whether a number of the tree is above 100 %, or negative, by `least` or more: such ask for
 * a word. */
void outline_extremes(const struct variance_tree *tree, double least, bool *above, bool *negative);

#endif
