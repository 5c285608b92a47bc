/* context_times.h - how long threads ran, and were off their processors, in which contexts.
 *
 *                                     own: ran     off       with all below: ran     off
 *     server x 8                           -       -                       3.2 s    12.8 s
 *       main, serve                        0.4 s   -                       3.0 s    12.8 s
 *       main, serve, commit, fsync         -      12.8 s                   -        12.8 s   for the disk vda
 *     [wants a processor]                  0.3 s
 *
 * Law: of each thread, and so of each group and of all, the own times of all nodes add up to the time
 * during which it was recorded, to the ns (thread_time.h). What a thread ran is known exactly, and shared
 * out by its clock's samples; what it was off likewise, where not each had its stack recorded: each
 * that had counts itself, and stands for others of the thread that were for the same reason (Horvitz
 * and Thompson, 1952), else of the same cause (stratum.h). Where those that were recorded make up
 * less than half, more than as much again is not put down to them: its stack was not recorded.
 */
#ifndef STACKS_CONTEXT_TIMES_H
#define STACKS_CONTEXT_TIMES_H

#include "stacks/context_fold.h"
#include "stacks/off_reason.h"
#include "stacks/sighting.h"
#include "stacks/thread_time.h"

enum context_time { TIME_RAN, TIME_OFF, TIME_QUEUE, TIME_MISSING, CONTEXT_TIMES };

struct context_sum {
    time_ns own[CONTEXT_TIMES], total[CONTEXT_TIMES];
    double own_variance[2], variance[2]; /* of TIME_RAN and TIME_OFF, in ns^2 */
    uint64_t own_samples, samples;       /* of the clock */
    uint64_t own_stacks, stacks;         /* of times off the processor */
};

/* A node's time off is for a reason. */
struct context_reason {
    uint32_t node, reason;
    time_ns own, total;
};

struct context_times {
    struct context_fold fold;
    struct context_sum *sums;       /* by node */
    struct context_reason *reasons; /* by node, the longest total first */
    size_t reason_count, reason_capacity;
    struct off_reasons whys;
    struct thread_time *threads; /* by task */
    uint32_t *group_node;        /* by group; CONTEXT_NONE: not of the run */
    time_ns stood_for;           /* of the time off: what others' stacks tell of it */
};

/* Borrows all but itself. `layers` as of context_fold.h. */
void context_times_fill(struct context_times *times, const struct sightings *seen,
                        const struct timelines *run, const struct thread_groups *groups,
                        unsigned layers);
void context_times_release(struct context_times *times);

/* All kinds of it. */
time_ns context_time_own(const struct context_sum *sum);
time_ns context_time_total(const struct context_sum *sum);
/* The reasons of a node, and how many there are. */
const struct context_reason *context_reasons_of(const struct context_times *times, uint32_t node,
                                                size_t *count);
/* The group whose node it is, or is below. */
uint32_t context_group_of(const struct context_times *times, uint32_t node);

#endif
