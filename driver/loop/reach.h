/* reach.h - functions that something else than a call in the text leads to: what is held in a
 * std::function, given to a library, or handles signals.
 *
 *     serve                               names on_full, but does not call it
 *     `- std::function::operator()        has no body in the tree: which function is called?
 *
 * Nothing in the facts leads from such a call on. It may lead to the functions that are named
 * without being called; the nearer to the call one is named, the likelier it is that one. The ones
 * that are reached stand below the call once they are timed. Pure.
 */
#ifndef DRIVER_LOOP_REACH_H
#define DRIVER_LOOP_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/loop/refine_loop.h"
#include "variance/variance.h"

/* Tells by function how likely the call or function at `node` leads to it in a way that nothing
 * shows; 0 where it does not, is timed already or can't be. */
void reach_count(const struct refine_loop *loop, const struct variance_tree *tree, uint32_t node,
                 double d, uint32_t *counts);

/* The time of a child is its parent's own: it ran, or waited in a call that is not timed. */
bool reach_is_own(const struct tree_node *child);

/* Tells by function how likely `giver` gives it to what calls it later, as one gives a thread its
 * first function; 0 as for reach_count. */
void reach_count_given(const struct refine_loop *loop, uint32_t giver, uint32_t *counts);

#endif
