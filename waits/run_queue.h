/* run_queue.h - how long threads wanted a processor, and who had it meanwhile.
 *
 *     thread 7      blocked |-- wants a processor --| runs         on processor 1
 *     processor 1       backup      | idle |  8     | 7            7: backup 5, idle 2, 8 3
 *
 * Each ns is charged to whoever had then the processor that the thread came back to. All charges add up
 * to the time that the run's threads were runnable and did not run, to the ns. Threads that wait for the
 * same processor for long are counted by group, and charged together: O(uses x groups that wait).
 */
#ifndef WAITS_RUN_QUEUE_H
#define WAITS_RUN_QUEUE_H

#include "waits/charge_sums.h"
#include "waits/wait_graph.h"

struct run_queue_charge {
    uint32_t who, had; /* groups; had is NO_GROUP: records of it are missing */
    time_ns time;
    struct wait_share share; /* as of an edge */
};

struct run_queue {
    struct run_queue_charge *charges; /* the largest share first */
    uint32_t count;
};

void run_queue_fill(struct run_queue *queue, const struct wait_graph *graph,
                    const struct cascade *cascade);
void run_queue_release(struct run_queue *queue);

#endif
