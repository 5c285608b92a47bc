/* stack_pace.h - how many stacks are recorded, so that they take no more than their share.
 *
 *     share 3 % of 2 processors     waits      the clock
 *     taken: 1 %                    all        1 ms
 *     taken: 6 %                    half       1 ms         waits go down first ...
 *     still 6 % with the fewest     the fewest 2 ms         ... then the clock
 *
 * What is taken is the recorder's own time and what the kernel takes to copy stacks. Rates go up
 * again, by steps, where there is room.
 */
#ifndef SAMPLER_STACK_PACE_H
#define SAMPLER_STACK_PACE_H

#include <stdint.h>

#include "sampler/stack_wish.h"

struct stack_pace {
    double allowed; /* processors; 0: there is no bound */
    bool
        many; /* so many that they are taken together: to be woken up for each costs more than it */
    double most_waits, waits; /* a second and processor */
    uint64_t least_clock_ns, clock_ns;
    double taken; /* processors, of late */
};

/* A wish's zeros get their meaning here. */
void stack_pace_init(struct stack_pace *pace, const struct stack_wish *wish, uint32_t processors);
/* In so much time there were so many stacks, and the recorder's thread ran so long. */
void stack_pace_follow(struct stack_pace *pace, uint64_t elapsed_ns, uint64_t stacks,
                       uint64_t own_ns);

#endif
