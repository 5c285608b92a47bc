/* frame_shadow.h - which context that both versions have does what a frame does that only one of them has.
 *
 *     A   process > compute        B   process > compute
 *                                      process > process_rest > compute
 *
 *     process was split in two. B's second compute has A's as its shadow: what it takes may have been A's compute's
 *     before. process_rest itself has none.
 *
 *     uint32_t *shadow = frame_shadow_find(1, sides, &match);      by node of B: A's node, or CONTEXT_NONE
 *
 * Callees of a frame that has no shadow are looked for where it was called from, as if it were passed over.
 * The caller frees the array (base/memory.h).
 */
#ifndef STACKS_FRAME_SHADOW_H
#define STACKS_FRAME_SHADOW_H

#include "stacks/tree_match.h"

/* Of the frames of `side` that have no other in `match`. */
uint32_t *frame_shadow_find(int side, const struct context_tree *const trees[2],
                            const struct tree_match *match);

#endif
