/* context_fold.h - contexts as they are told: by group of threads, with recursion as one node.
 *
 *     sighted         main, walk, walk, walk, hash         main, eval, apply, eval, apply, gc
 *     told    server, main, walk x3, hash          server, main, eval x2, apply x2, gc
 *
 *     cut             ..., walk, hash, memcpy      server, [cut], memcpy, hash, walk
 *
 * What repeats itself at once, up to eight calls long, stands there once, and `deepest` says how often
 * it did at most. A stack whose outermost calls are missing is told from its innermost call on, below a
 * node of its own: where it begins is not known. Calls of layers that are not told are left out, and
 * their time is that of who called them. Nodes of depth 1 are the groups.
 */
#ifndef STACKS_CONTEXT_FOLD_H
#define STACKS_CONTEXT_FOLD_H

#include <stdbool.h>

#include "stacks/context_tree.h"

/* What stands for no function, right below a group. */
enum context_special {
    CONTEXT_CUT,
    CONTEXT_NO_STACK, /* no stack tells in what it was off, or ran */
    CONTEXT_NOT_SEEN, /* it ran, and no sample fell into it */
    CONTEXT_KERNEL,   /* it ran in the kernel, of which nothing may be seen */
    CONTEXT_QUEUE,    /* it wanted a processor */
    CONTEXT_MISSING,  /* records are */
    CONTEXT_LEFT_OUT, /* in layers that are not told */
    CONTEXT_SPECIALS
};

#define CONTEXT_ALL_LAYERS (1u << FRAME_KERNEL | 1u << FRAME_LIBRARY | 1u << FRAME_PROGRAM)

struct context_fold {
    struct context_tree tree;
    const struct context_tree *from;    /* borrowed */
    unsigned layers;                    /* that are told: 1 << enum frame_kind, several */
    uint32_t special[CONTEXT_SPECIALS]; /* their frames */
    uint32_t *deepest; /* by node: it stands for so many calls in each other, at the most */
    size_t deepest_count, deepest_capacity;
    struct hash_map known; /* node of `from`, group and cut -> node */
};

void context_fold_init(struct context_fold *fold, const struct context_tree *from, unsigned layers);
void context_fold_release(struct context_fold *fold);
/* The node of a group of threads. */
uint32_t context_fold_group(struct context_fold *fold, uint32_t group, const char *name);
uint32_t context_fold_special(struct context_fold *fold, uint32_t group_node,
                              enum context_special special);
/* Where what was sighted at `node` of the other tree ends. */
uint32_t context_fold_node(struct context_fold *fold, uint32_t group_node, uint32_t node, bool cut);
/* The node whose own time that is: the innermost call's. */
uint32_t context_fold_own(const struct context_fold *fold, uint32_t node);
/* CONTEXT_SPECIALS: it is a function's, or a group's. */
enum context_special context_fold_is(const struct context_fold *fold, uint32_t node);

/* Folds frames, the outermost first, in place: `repeats` of those that are left say how often each stood
 * there. Gives their number. */
size_t context_fold_frames(uint32_t *frames, uint32_t *repeats, size_t count);

#endif
