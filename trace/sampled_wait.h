/* sampled_wait.h - which wait each recorded stack is of.
 *
 *     stack of thread 7 at 3.201 s      its wait for 9, from 3.201 s to 3.205 s
 *     stack of 9, which wakes 7         the same wait
 *
 * The kernel's record of a switch or waking comes right after its stack: it is the nearest one. A wait that has two stacks of
 * one kind, as its thread was watched more closely just then, keeps the one that stands for fewer.
 */
#ifndef TRACE_SAMPLED_WAIT_H
#define TRACE_SAMPLED_WAIT_H

#include "trace/off_cpu.h"
#include "trace/sample.h"

struct sampled_wait {
    const struct wait_stack *stack;
    const struct off_cpu *off;
    uint32_t who; /* the task that waits */
};

struct sampled_waits {
    struct sampled_wait *items;
    size_t count;
    uint64_t unmatched;         /* stacks of no wait that was recorded */
    uint64_t unmatched_wakings; /* of them, those of wakings */
};

/* Borrows both. `all`: what the recording's end cut is a wait, too, and that a thread lost its processor. */
void sampled_waits_fill(struct sampled_waits *waits, const struct kernel_side *side,
                        const struct wait_stacks *stacks, bool all);
void sampled_waits_release(struct sampled_waits *waits);

#endif
