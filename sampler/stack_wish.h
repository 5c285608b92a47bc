/* stack_wish.h - which stacks a recorder is asked for.
 *
 *     {.on = true}                                              for waits: few, and they cost little
 *     {.on = true, .clock_ns = 1000000, .waits_a_second = 4000, .share = 0.03}
 *
 * A zeroed struct asks for none. What is asked for beyond the share is not made: the rates of waits
 * go down first, then the clock's.
 */
#ifndef SAMPLER_STACK_WISH_H
#define SAMPLER_STACK_WISH_H

#include <stdbool.h>
#include <stdint.h>

struct stack_wish {
    bool on;
    uint64_t clock_ns;     /* between two samples of a processor, in the mean; 0: 10 ms */
    double waits_a_second; /* of each processor, at most; 0: 150 */
    bool no_wakings;       /* no stacks of who wakes others */
    bool preempted;        /* stacks of who loses its processor count as waits */
    uint64_t most_bytes;   /* of different stacks; 0: 64 MiB */
    uint64_t ring_bytes;   /* of each processor, a power of two; 0: 1 or 4 MiB */
    double share;          /* of all processors that stacks may take; 0: there is no bound */
};

/* For a profile. A stack takes 8 us, the kernel's part counted in, so that 1,000 samples a second are 0.8 % of a
 * processor; with the 2 % of the scheduler's recording all is 5 % at most (measured: docs/measurements/kernel.md). */
#define STACK_WISH_PROFILE                                                                         \
    ((struct stack_wish){.on = true, .clock_ns = 1000000, .waits_a_second = 10000, .share = 0.03})

#endif
