/* context_tree.h - calling contexts: who was called by whom, by whom, ... with a number for each.
 *
 *     uint32_t f = context_frame_add(&tree, &(struct context_frame){.function = "main", ...});
 *     uint32_t node = context_tree_child(&tree, CONTEXT_ROOT, f);         the same again: the same node
 *     frames[0 .. depth)  the outermost first  <->  context_tree_path(&tree, frames, depth)
 *
 * A node is its parent and a frame, and stands behind its parent. Recursion is there as it was:
 * context_fold.h makes one node of it. Frames are told apart by the names of their function and object,
 * and by their kind; their place is that of the first one. Texts are copied. Not for use by two threads
 * at once.
 */
#ifndef STACKS_CONTEXT_TREE_H
#define STACKS_CONTEXT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "symbol/sampled_name.h"

#define CONTEXT_ROOT 0u
#define CONTEXT_NONE UINT32_MAX

struct context_frame {
    const char *function; /* as its author wrote it; "[libz.so.1+0x2a0]" where it has no name */
    const char *object;   /* the file that holds it, without folders; "" where it is not known */
    enum frame_kind kind;
    const char *file; /* where the function begins, by debug information; "" or NULL: not known */
    uint32_t line;
    uint64_t start; /* of a function without a name: where it begins in the file; 0: not known */
    uint64_t shape; /* of one: by what another build of it is known (symbol/frame_table.h); or 0 */
};

struct context_node {
    uint32_t parent; /* less than the node; the root's is CONTEXT_NONE */
    uint32_t frame;  /* index in `frames`; the root's is CONTEXT_NONE */
    uint32_t depth;  /* the root's is 0 */
};

struct context_tree {
    struct context_node *nodes; /* the first is the root */
    size_t count, capacity;
    struct context_frame *frames;
    size_t frame_count, frame_capacity;
    struct hash_map children; /* parent << 32 | frame -> node */
    struct intern texts, kinds;
};

/* By a name; or, a stripped program's function, by where it begins. */
bool context_frame_is_known(const struct context_frame *frame);

void context_tree_init(struct context_tree *tree);
void context_tree_release(struct context_tree *tree);
/* Gives the number of a frame. */
uint32_t context_frame_add(struct context_tree *tree, const struct context_frame *frame);
/* The node of a frame that was called from another node's. */
uint32_t context_tree_child(struct context_tree *tree, uint32_t parent, uint32_t frame);
/* That of the last of `depth` frames, the outermost first; of none it is the root. */
uint32_t context_tree_path(struct context_tree *tree, const uint32_t *frames, size_t depth);
/* Writes the `depth` frames of a node, the outermost first, and gives their number. */
uint32_t context_tree_frames(const struct context_tree *tree, uint32_t node, uint32_t *frames);

#endif
