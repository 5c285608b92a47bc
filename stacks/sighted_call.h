/* sighted_call.h - single calls, as far as moments at which their thread's stack is known tell them.
 *
 *     at       10    20    40    70            conservative   aggressive
 *              A     A     A     A      A           60            60
 *              B     B     C     C      A/B         10            30
 *              D     D     D            A/B/D       10            30
 *                                       A/C         30            30
 *                                       A/C/D        0            30
 *
 *     struct sighted_calls calls;
 *     sighted_calls_find(&calls, &tree, moments, count, begin, end);
 *     calls.items[i].node                                a number for each context (PA-CCT)
 *     sighted_calls_release(&calls);
 *
 * The algorithm is that of IntroPerf (SIGMETRICS'14, algorithm 2), with what its text has wrong put
 * right: a call is open for as long as moment after moment has it (stack_moment.h). Its conservative
 * time is from the first that has it to the last; its aggressive time, from the first that has it to
 * the first that has it no more, or to the last of all.
 *
 * Of the time L that the call took it is certain that conservative <= L <= after - before, where
 * `before` is the end of the last moment without it and `after` the next one without it. The
 * aggressive time begins late and ends late: it is no bound. The best guess is the middle of both
 * bounds. Where begin and end are anywhere in their gaps, alike, its standard error is
 * sqrt((gap^2 + gap^2) / 12): with a clock's period P it is P / sqrt(6). Any moment makes the bounds
 * narrower: a system call's, or a time off the processor, which is as one moment.
 *
 * Two calls of a function one right behind the other, made from the same place, are seen as one: the
 * bounds are then those of both together. Calls that no moment has are not there at all, so that the
 * mean of those that are says nothing of all calls: it is that of the long ones.
 */
#ifndef STACKS_SIGHTED_CALL_H
#define STACKS_SIGHTED_CALL_H

#include "stacks/stack_moment.h"

#define CALL_NONE UINT32_MAX

struct sighted_call {
    uint32_t node;         /* its context, which is a path from the root */
    uint32_t parent;       /* the call that it is in stands before it; CALL_NONE: none */
    uint32_t moments;      /* that have it */
    time_ns first, last;   /* it was there all the time in between */
    time_ns before, after; /* it was not there yet, or no more */
    bool open;             /* the last moment has it: `after` is the end of what is known */
};

struct sighted_calls {
    struct sighted_call *items; /* by `first`, the outer one before the inner */
    uint32_t count;
    size_t capacity;
};

/* The thread is known of from `begin` to `end`, and all moments lie within. Borrows all but the
 * result for as long as it works. Linear in the moments times the depth at which they differ. */
void sighted_calls_find(struct sighted_calls *calls, const struct context_tree *tree,
                        const struct stack_moment *moments, size_t count, time_ns begin,
                        time_ns end);
void sighted_calls_release(struct sighted_calls *calls);

/* All in ns. */
time_ns sighted_call_conservative(const struct sighted_call *call);
time_ns sighted_call_aggressive(const struct sighted_call *call);
time_ns sighted_call_most(const struct sighted_call *call); /* the upper bound */
double sighted_call_guess(const struct sighted_call *call);
double sighted_call_error(const struct sighted_call *call); /* standard, of the guess */

#endif
