/* replay_choice.h - which edges are worth a replay: those that may cap the throughput, REPLAY_MOST.
 *
 * Edges of knots first, in the knots' order; then those into what waits for none (a disk, a timer, a
 * busy thread); then others, the heaviest first. Of threads that wait, and all that count.
 */
#ifndef WAITS_REPLAY_CHOICE_H
#define WAITS_REPLAY_CHOICE_H

#include "waits/knot.h"
#include "waits/replay.h"

/* Fills in `edges`, REPLAY_MOST at the most; the result is how many. */
uint32_t replay_choice(const struct wait_graph *graph, const bool *counts,
                       const struct knot_list *knots, uint32_t edges[REPLAY_MOST]);

#endif
