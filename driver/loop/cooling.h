/* cooling.h - what is called too often for what it tells is timed no longer.
 *
 *     if (refine_loop_cool(&loop, &tree, NULL, most, d)) ... loop.hot
 */
#ifndef DRIVER_LOOP_COOLING_H
#define DRIVER_LOOP_COOLING_H

#include "driver/loop/refine_loop.h"
#include "variance/variance_tree.h"

/* Where the timed functions have more than `most` calls, those that are called most are hot, until
 * they have fewer; of two that are called alike first the one that contributes less. None that
 * contributes d or more to the variance, or twice that to the mean, beyond what a timed callee
 * does, all its places and wakings together; where it is called at most once an interval only a
 * callee counts that half of its calls or more come to. Nor one that holds an annotation and that
 * no other which stays stands above, nor one of few calls, even if there are more then. `calls` is
 * by function, NULL: those of the tree. False: there was nothing to leave out. */
bool refine_loop_cool(struct refine_loop *loop, const struct variance_tree *tree,
                      const uint64_t *calls, double most, double d);

#endif
