/* arrival.h - how long threads waited for what comes from outside the run: for a client.
 *
 *     worker   |-- waits for memtier --| runs |-- for memtier --| runs       62 % of its time: not saturated
 *     logger   |---- waits for worker ----------| runs |- disk -|            none
 *
 * The client is the network, or a thread of another program that is not the kernel's: a load generator
 * beside, over loopback, a pipe or an eventfd. A wait for it is one that a signal could have ended, as one for
 * a request is; and none that lies within an interval, where the run has them: that is one for an answer.
 *
 * A run is not saturated where a group of threads that serves waits for a client for more than
 * ARRIVAL_LEAST of its time for sure. A group serves if it does SERVES_LEAST at least of what all threads
 * of the run do: one that only accepts connections may wait. But a disk that threads wait for and that is
 * never idle for a client is saturated, whoever waits besides.
 */
#ifndef WAITS_ARRIVAL_H
#define WAITS_ARRIVAL_H

#include "waits/running.h"

#define ARRIVAL_LEAST 0.05 /* of the time (chosen) */
#define SERVES_LEAST 0.1   /* of what the run's threads ran (chosen) */
#define NEVER_IDLE 0.05    /* of the time: a disk is idle less (chosen) */
#define ARRIVAL_NONE UINT32_MAX

struct arrival_group {
    time_ns waited;
    uint32_t client; /* the group that it waited for the longest */
    struct wait_share share;
    bool serves;
};

struct arrivals {
    struct arrival_group *groups; /* by group */
    bool *edges;                  /* by edge of the graph: most of it are waits for a client */
    uint32_t unsaturated; /* the group that waits the most, or ARRIVAL_NONE: it is saturated */
};

void arrivals_fill(struct arrivals *arrivals, const struct wait_graph *graph,
                   const struct running *running, const struct device_idle *idle,
                   const struct cascade *cascade, const struct timelines *run);
void arrivals_release(struct arrivals *arrivals);

#endif
