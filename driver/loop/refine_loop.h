/* refine_loop.h - which functions the next round opens: the paper's Algorithm 3, pure.
 *
 *     struct refine_loop loop;
 *     refine_loop_init(&loop, table, paces);             opens the functions that hold annotations
 *     for (;;) {
 *         ... a round with loop.timed and loop.opened ...
 *         proposals = proposals_make(&loop, &result, k, d, &count);
 *         for each that is wanted: refine_loop_open(&loop, &proposals[i]);
 *     }
 *
 * A function is opened where it and its callees are timed, and its calls without a body in the
 * tree. A short function's callees are taken for callees of its callers, and its callers for
 * callers of its callees. A proposal stands for one factor (or for time that no timed function
 * covers) with the functions that would be opened for it:
 *   - a function: itself;
 *   - a call that blocked: what its waker was doing, in the woken-by nodes below it; where no timed
 *     function of the waker covers that, the callers of the function that released; where no
 *     function of the waker is known, those that made such threads;
 *   - a function that a call through a pointer came to, and that calls on through one: with it all of
 *     its type that do (filters);
 *   - time of the interval outside timed functions: the callers of those that lie outermost. Where
 *     they are many they are timed first, without what they call, so that one sees which it was.
 * A function that is called so often that timing it would slow the program, and that contributes
 * too little beyond what one of its callees does, can be left out from then on: it is hot, and no
 * longer opened.
 *
 * There is no proposal where nothing above d can be opened. The loop reads the table, and keeps no
 * pointer into a result.
 */
#ifndef DRIVER_LOOP_REFINE_LOOP_H
#define DRIVER_LOOP_REFINE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "rewriter/rewriter.h"
#include "trace/function_table.h"
#include "variance/variance.h"

struct refine_loop {
    const struct function_table *table;
    const enum pace *paces; /* by function, NULL: all are PACE_ANY; what is short is never timed */
    bool *opened;           /* by function */
    bool *timed;
    bool *passed;   /* what these call is timed, though they may be short */
    bool *hot;      /* never timed again */
    uint32_t *seen; /* caller, callee, caller, callee ... */
    uint32_t seen_count;
    uint32_t seen_capacity;
    const uint32_t *makers; /* while proposals are made: the result's */
    uint32_t maker_count;
};

/* A function is proposed for what ties it to the factor. */
enum tie {
    TIE_ITSELF,  /* the factor is its time */
    TIE_WAKER,   /* the factor is a wait, and this is what its waker did */
    TIE_ENDS,    /* it calls what ends the wait */
    TIE_MAKES,   /* it made the thread that ends the wait, or was given to it */
    TIE_SEEN,    /* a call through a pointer was seen to come to it */
    TIE_POINTER, /* a call through a pointer may come to it */
    TIE_LINK,    /* so too; it is timed alone, for there are many */
    TIE_OUTSIDE  /* it calls what was timed, and is not timed itself */
};

struct proposal {
    uint32_t factor; /* index in the result's factors, or PROPOSAL_OUTSIDE */
    uint32_t *functions;
    enum tie *ties; /* beside the functions, or NULL: they are opened */
    uint32_t count;
    uint32_t capacity;
    uint32_t tie_capacity;
    bool alone; /* they are only timed, not what they call */
};
#define PROPOSAL_OUTSIDE UINT32_MAX

/* Opens the functions that hold annotations; false where none does. */
bool refine_loop_init(struct refine_loop *loop, const struct function_table *table,
                      const enum pace *paces);

void refine_loop_open(struct refine_loop *loop, const struct proposal *proposal);

/* A short function takes next to nothing, so that timing it would tell of the probe. */
bool refine_loop_is_short(const struct refine_loop *loop, uint32_t function);
bool refine_loop_can_time(const struct refine_loop *loop, uint32_t function);
/* Tells whether `caller` calls one of `functions` (by function), in the text or as it was seen. */
bool refine_loop_calls_any(const struct refine_loop *loop, uint32_t caller, const bool *functions);
uint32_t refine_loop_timed_count(const struct refine_loop *loop);
uint32_t refine_loop_hot_count(const struct refine_loop *loop);
void refine_loop_release(struct refine_loop *loop);

#endif
