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
    double waits_a_second; /* of waits and wakings, of each processor, at most; 0: 150 */
    double share;          /* of all processors that stacks may take; 0: there is no bound */
};

#endif
