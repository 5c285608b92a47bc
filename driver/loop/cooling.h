/* cooling.h - what is called too often for what it tells is timed no longer.
 *
 *     if (refine_loop_cool(&loop, &tree, NULL, most, d)) ... loop.hot
 */
#ifndef DRIVER_LOOP_COOLING_H
#define DRIVER_LOOP_COOLING_H

#include "driver/loop/refine_loop.h"
#include "variance/variance_tree.h"

/* The functions that are called most become hot where the timed ones have more than `most` calls,
 * until they have fewer; of two that are called alike the one that contributes less goes first.
 * Some stay timed, even if there are more calls then:
 *   - a function that contributes d or more to the variance, or twice that to the mean, beyond what
 *     a timed callee does, all its nodes and wakings together; where it is called at most once an
 *     interval, only a callee counts to which half of its calls or more come;
 *   - one that holds an annotation, and that no other which stays stands above;
 *   - one of few calls.
 * `calls` is by function, NULL: those of the tree. False: there was nothing to leave out. */
bool refine_loop_cool(struct refine_loop *loop, const struct variance_tree *tree,
                      const uint64_t *calls, double most, double d);

#endif
