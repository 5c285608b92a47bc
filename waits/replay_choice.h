/* replay_choice.h - which waits are worth a replay: those that may cap the throughput, REPLAY_MOST.
 *
 * Edges of knots first, in the knots' order; then those into what waits for none (a disk, a timer, a
 * busy thread); then groups whose members wait for each other for at least WITHIN_LEAST of the time, as for
 * a lock; then other edges, the heaviest first. Of threads that wait; `counts`, by edge, says which edges
 * may be chosen, `aside`, by group, which groups may not.
 */
#ifndef WAITS_REPLAY_CHOICE_H
#define WAITS_REPLAY_CHOICE_H

#include "waits/knot.h"
#include "waits/replay.h"

#define WITHIN_LEAST 0.05 /* chosen */

/* Fills in `pairs`, REPLAY_MOST at the most; the result is how many. */
uint32_t replay_choice(const struct wait_graph *graph, const bool *counts, const bool *aside,
                       const struct knot_list *knots, time_ns recorded,
                       struct replay_pair pairs[REPLAY_MOST]);

#endif
