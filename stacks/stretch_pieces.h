/* stretch_pieces.h - what a thread's stack was at each moment of a stretch of its time, as it seems.
 *
 *     moments     . A/B .     A/C [A/C/read: off]      . A/D .
 *     pieces      A/B......|A/C..|A/C/read.......|A/C..|A/D...........
 *                lo        middle                      middle          hi
 *
 * Running time is that of the nearest of the clock's samples, with the time in which the thread ran as
 * the measure: each sample so has a period of it, most of the time, and shares of running time are
 * those of the samples. What is known of a stack for another reason, because the thread went off its
 * processor or made a system call, comes where such calls are and would draw time to them. A time off
 * the processor whose stack is known is its stack's, to the ns. Else, who was preempted goes on where it
 * was, so that this time is that of the running time around it; and who was blocked was so in a call that
 * no sample need have met: that time is of the calls in which the thread was in others like it
 * (off_donors.h), or else of those that the moments before and after have in common.
 *
 * Nothing but moments within the stretch says what was in it. If no sample does, running time is of the
 * calls that the moments before and after it have in common, and the rest was not seen.
 */
#ifndef STACKS_STRETCH_PIECES_H
#define STACKS_STRETCH_PIECES_H

#include "stacks/off_donors.h"
#include "stacks/stack_moment.h"

struct stack_piece {
    struct stack_moment stack; /* from .time to .until */
    bool whole;                /* it is that of a moment; else there may be calls below it */
    bool unseen;               /* running time of which no sample says whose it is */
};

/* A stretch of a thread's time, with the moments that begin in it and the offs that reach into it. */
struct stretch {
    time_ns lo, hi;
    const struct stack_moment *moments;
    size_t moment_count;
    const struct off_cpu *offs;
    uint32_t off_count;
    const struct off_donors *donors; /* of the thread; NULL: none */
};

struct stretch_pieces {
    struct stack_piece *items; /* each begins where the one before it ends; none is empty */
    size_t count, capacity;
    time_ns *
        sampled; /* of each sample of the clock: how long the thread had run by then, in the stretch */
    size_t sample_count, sample_capacity;
    time_ns ran, off, off_known; /* ns in the stretch; off with its stack known */
};

/* A zeroed struct has none; the next stretch's take their place. */
void stretch_pieces_fill(struct stretch_pieces *pieces, const struct context_tree *tree,
                         const struct stretch *stretch);
void stretch_pieces_release(struct stretch_pieces *pieces);
/* How much of the running time is within `reach` of a sample. */
time_ns stretch_pieces_near(const struct stretch_pieces *pieces, time_ns reach);

#endif
