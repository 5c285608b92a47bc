/* cascade.h - how long who waited for whom, with all who waited behind it.
 *
 *     1 waits for 2   |-----------------------|          raw 1 -> 2: all of it
 *     2 waits for 3         |---------|                  raw 2 -> 3: this
 *                                                        cascaded 2 -> 3: twice this, 1 is behind 2
 *
 * At each moment the blocked threads stand in a forest: each points to whom it waits for, and the
 * roots run, or are no threads. A wait weighs as much as there are threads behind it, its own
 * included. That sweep gives what the recursive definition of wPerf's cascaded redistribution gives
 * (Zhou, Gan, Ma, Wang: wPerf, OSDI'18, 3.2), in O(waits x depth). Four numbers, kept apart:
 *     raw       how long who waited for whom
 *     cascaded  the paper's: the same, times those behind
 *     leaf      of raw, what whom did not wait itself
 *     blame     of a root: how long others were behind it, however far
 * Only threads of the run count by themselves; what another waits counts while one of them is behind
 * it. Of the run's threads, sum of raw = sum of blame = the time all threads were blocked; see cascade_check.
 */
#ifndef WAITS_CASCADE_H
#define WAITS_CASCADE_H

#include <stdbool.h>

#include "base/hash_map.h"
#include "waits/wait_list.h"

/* The run is cut into so many windows of one length: what is told of it is as sure as
 * they agree. */
#define CASCADE_WINDOWS 20u

/* Waits are counted by their length: the k-th count has those of 2^k ns and more, but less than twice
 * that; the last one all longer ones. */
enum { CASCADE_LENGTHS = 40 };

struct cascade_edge {
    uint32_t who, whom;
    uint64_t count;
    time_ns longest;
    uint32_t lengths[CASCADE_LENGTHS];
    time_ns raw[CASCADE_WINDOWS], cascaded[CASCADE_WINDOWS], leaf[CASCADE_WINDOWS];
};

struct cascade {
    const struct vertex_table *vertices; /* borrowed */
    struct cascade_edge *edges;
    size_t edge_count, edge_capacity;
    struct hash_map edge_of; /* who << 32 | whom -> 1 + edge */
    time_ns *blame;          /* by vertex */
    time_ns borders[CASCADE_WINDOWS + 1];
    time_ns recorded[CASCADE_WINDOWS]; /* of each window, what is in no pause */
    uint64_t
        circles; /* waits that would have closed a circle: records are missing; of nobody known */
};

/* Counts a wait that was so long, not 0. */
void cascade_edge_count(struct cascade_edge *edge, time_ns length);
void cascade_sweep(struct cascade *cascade, const struct wait_list *waits,
                   const struct vertex_table *vertices);
void cascade_release(struct cascade *cascade);
/* NULL where the sums above agree to the ns, else which does not. */
const char *cascade_check(const struct cascade *cascade, const struct wait_list *waits);
/* Of all windows. */
time_ns cascade_sum(const time_ns *of_windows);

#endif
