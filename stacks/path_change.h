/* path_change.h - IntroPerf's order of calling contexts, and its two measures, to compare with the paper.
 *
 *     A   root 1   root/B 10   root/C 5                  rank 1   root/C   (1 - 1) + (40 - 5) = 35
 *     B   root 1   root/B 12   root/C 40   root/D 7           2   root/D   1 + 7               = 8
 *                                                             3   root/B   (1 - 1) + (12 - 10) = 2
 *
 *     struct path_changes paths;
 *     path_changes_find(&paths, sides);
 *     struct path_rank rank = path_changes_rank(&paths, &sides[1], "C");
 *     path_changes_release(&paths);
 *
 * Algorithm 3 of the paper (SIGMETRICS'14), with own times where its text has those with all below: a
 * path goes from the root to a leaf of B. Its cost is what its nodes cost more than in A if A has the
 * same path, of the same functions, and else all that they cost; the most costly is the first. p_min
 * is the best rank of a path that holds the function which was mended, f_min the number of calls from
 * it to the costliest node of that path. A path of B that ends within another one is not ranked, and
 * one new leaf makes the whole path new: tree_change.h does neither.
 */
#ifndef STACKS_PATH_CHANGE_H
#define STACKS_PATH_CHANGE_H

#include "stacks/context_tree.h"

struct path_side {
    const struct context_tree *tree;
    const double *own; /* by node, in any unit */
};

struct path_change {
    uint32_t leaf; /* B's node */
    double cost;
    uint32_t hottest; /* the node of the path that costs most more */
    bool in_both;
};

struct path_changes {
    struct path_change *items; /* the most costly first */
    size_t count, capacity;
};

struct path_rank {
    uint32_t p_min; /* from 1; 0: no path has the function */
    uint32_t f_min; /* calls between it and the hottest node of that path */
};

void path_changes_find(struct path_changes *paths, const struct path_side sides[2]);
struct path_rank path_changes_rank(const struct path_changes *paths, const struct path_side *b,
                                   const char *function);
void path_changes_release(struct path_changes *paths);

#endif
