/* stacks.h - the tree as other viewers want it: folded stacks, and a graph.
 *
 *     interval;serve;pthread_mutex_lock;compact [woken-by] 718000        folded, in millionths
 *     digraph variance { n4 [label="serve\n90.3 %"]; n0 -> n4; }          DOT
 *
 * A stack is a leaf's path, its weight the leaf's alone, so that a viewer's sums are the nodes'. A
 * folded weight is a whole number above 0: a negative share (it takes variance away) has no width;
 * how many were left out is returned. Names are cleaned: ';' and line breaks would tear a stack.
 */
#ifndef REPORT_VARIANCE_STACKS_H
#define REPORT_VARIANCE_STACKS_H

#include <stdio.h>

#include "base/str.h"
#include "variance/variance_tree.h"

enum stack_weight {
    STACK_SHARE, /* millionths of the latency's variance */
    STACK_TAIL,  /* millionths of what makes the slowest 1 % slow */
    STACK_MEAN   /* ns in a mean interval */
};

int64_t stack_weight(const struct tree_node *leaf, enum stack_weight weight); /* may be negative */
/* Writes "compact [woken-by]": the kind where the name alone would mislead. */
void stack_frame_name(struct str *name, const struct tree_node *node);

/* Gives the node after `node` where a parent stands before its children and these side by side with
 * all below them; NODE_NONE: it was the last. */
uint32_t stack_next_node(const struct variance_tree *tree, uint32_t node);

uint32_t folded_write(FILE *out, const struct variance_tree *tree, enum stack_weight weight);
/* Writes the nodes of at least `least` of the variance, either way, and what they hang on. */
void dot_write(FILE *out, const struct variance_tree *tree, double least);

#endif
