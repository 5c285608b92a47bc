/* spin_doubt.h - loops in which threads may wait without the kernel knowing of it.
 *
 *     worker runs 43 % of the time in spin_until, within 12 bytes that hold a pause
 *
 * A clock's samples lie in few bytes of one function, and those bytes are what loops hold that wait on
 * a processor (symbol/machine_code.h), or the function is known for it. It is no more than likely.
 */
#ifndef WAITS_SPIN_DOUBT_H
#define WAITS_SPIN_DOUBT_H

#include "waits/run_stacks.h"

struct spin_doubt {
    uint32_t group;
    const char *function; /* belongs to the names */
    uint64_t sampled;
    double part; /* of the group's samples */
};

struct spin_doubts {
    struct spin_doubt *items; /* those that were sampled most first */
    size_t count;
};

void spin_doubts_fill(struct spin_doubts *doubts, struct sampled_names *names,
                      const struct run_stacks *stacks, const struct timelines *run,
                      const struct wait_graph *graph);
void spin_doubts_release(struct spin_doubts *doubts);

#endif
