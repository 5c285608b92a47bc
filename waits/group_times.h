/* group_times.h - how long the threads of a group wanted a processor, and waited for others.
 *
 *     thread 7   runs |-- blocked --| runnable | runs
 *
 * They are known also where it was not recorded who woke whom.
 */
#ifndef WAITS_GROUP_TIMES_H
#define WAITS_GROUP_TIMES_H

#include "waits/wait_graph.h"

struct group_time {
    time_ns runnable, blocked; /* of all its threads; not: what had not ended at the end */
};

/* By group; all 0 for what is no thread. */
struct group_time *group_times_find(const struct wait_graph *graph,
                                    const struct vertex_table *vertices);

#endif
