/* function_time.h - what contexts add up to by function, and by layer.
 *
 *     fdatasync    own -   total 12.8 s    in 2 contexts
 *
 * A function that is below itself counts once. Borrows the times.
 */
#ifndef STACKS_FUNCTION_TIME_H
#define STACKS_FUNCTION_TIME_H

#include "stacks/context_times.h"

struct function_time {
    uint32_t frame;           /* of the folded tree */
    time_ns own[2], total[2]; /* TIME_RAN, TIME_OFF */
    double own_variance[2], variance[2];
    uint64_t own_samples;
    uint32_t contexts; /* nodes */
    uint32_t heaviest; /* the one with the longest own time */
};

struct function_times {
    struct function_time *items; /* the longest own time first */
    size_t count, capacity;
    uint32_t *by_total; /* their indexes, the longest total first */
    time_ns layer[FRAME_NONE + 1]
                 [CONTEXT_TIMES]; /* own times by enum frame_kind; NONE: of no function */
};

void function_times_fill(struct function_times *functions, const struct context_times *times);
void function_times_release(struct function_times *functions);

#endif
