/* tree_match.h - which context of one version of a program is which of another version.
 *
 *     A   main, serve, process, render          process was split in two, helper inlined into serve:
 *         main, serve, helper, emit
 *     B   main, serve, process, process_rest, render
 *         main, serve, emit
 *
 *     A's render is B's, A's emit is B's; process_rest was inserted, helper removed.
 *
 *     struct tree_match match;
 *     tree_match_find(&match, sides);
 *     match.other[0][node]                     B's node of A's, or CONTEXT_NONE
 *     tree_match_release(&match);
 *
 * Threads of other names are each other's, if they call the same functions: a program may be called
 * otherwise in another version. Below two nodes that are each other's, those are too that have the same
 * function. Of what is left, a
 * frame is passed over if below it, up to MATCH_DEEP frames deep, there are functions which the other
 * side has left: the one by which most time finds its like, first. So each path finds the longest
 * common subsequence with one of the other side, weighted by time, along which all outer calls are
 * each other's, too. Of what is left then, functions of one source file which only one version has are
 * each other's, those of most time first. The rest is new, or gone. A function is known by its name,
 * and of several the one of the same object is taken. One that has no name is known by its shape
 * (symbol/frame_table.h), and its source file is that of all others of its object that have none.
 */
#ifndef STACKS_TREE_MATCH_H
#define STACKS_TREE_MATCH_H

#include "stacks/context_tree.h"

enum { MATCH_DEEP = 4 };

struct match_side {
    const struct context_tree *tree;
    const double *total; /* by node: its time with that of all below it, in any unit */
};

struct tree_match {
    uint32_t *other[2]; /* by node of a side: that of the other one, or CONTEXT_NONE */
    uint32_t *above[2]; /* by node: the innermost that has another, at it or above it */
    uint32_t passed[2]; /* frames that were removed, and inserted */
};

void tree_match_find(struct tree_match *match, const struct match_side sides[2]);
void tree_match_release(struct tree_match *match);

#endif
