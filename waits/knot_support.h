/* knot_support.h - how certain a knot is: how often it comes out again.
 *
 *     windows drawn     3 3 17 1 8 ...      shares of all edges, knots: the same ones?
 *                       12 4 4 9 20 ...     ...
 *
 * A bootstrap over the windows of time of the cascade: so many are drawn as there are, with
 * replacement (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 8). An edge's support
 * is the part of the draws in which it lies in the knot that stands first. Below SUPPORT_CERTAIN it is
 * not certain that it does.
 */
#ifndef WAITS_KNOT_SUPPORT_H
#define WAITS_KNOT_SUPPORT_H

#include "waits/knot.h"

#define SUPPORT_CERTAIN 0.8 /* (chosen) */

/* By edge of the graph; of those that may be in a knot at all. The draws are always the same ones. */
double *knot_support_find(const struct wait_graph *graph, const struct cascade *cascade,
                          const bool *allowed);

#endif
