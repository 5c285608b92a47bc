/* measured_call.h - the single calls of a function that was watched, also those within each other.
 *
 *     called sp 900   called sp 800   returned sp 800   returned sp 900
 *         one call of depth 1 within one of depth 0: two are counted, one is outermost
 *
 *     struct measured_calls calls = {0};
 *     measured_calls_find(&calls, &hits);          request_hits of roles CALLED and RETURNED, in order of time
 *     measured_calls_doubt(&calls, losses, loss_count);
 *     calls.items[0]       {begin, end, thread 7, depth 0, RETURNED}
 *     measured_calls_release(&calls);
 *
 * The stack pointer when it was called tells which call returns, as of requests (request_pair.h, which
 * knows outermost calls alone); what has a lower one is within it. Several calls of one stack pointer
 * follow each other because the function called itself last, and then all return at once, one right
 * behind the other; or a jump has left the earlier ones. A call that a jump left ends at the next hit that
 * shows it: how long it took is not known. What a thread is seen to return from first, without having
 * called it, is one that had begun before. Fibers are not told apart. Pure.
 */
#ifndef STACKS_MEASURED_CALL_H
#define STACKS_MEASURED_CALL_H

#include "stacks/found_requests.h"

enum call_fate {
    CALL_RETURNED,
    CALL_LEFT,     /* by a jump or an exception */
    CALL_OPEN,     /* when watching ended */
    CALL_BEGUN,    /* before watching began, which is its begin here */
    CALL_DOUBTFUL, /* hits were lost meanwhile */
    CALL_FATES
};

struct measured_call {
    time_ns begin, end;
    uint32_t thread;
    uint32_t depth; /* so many calls of the function were around it */
    uint8_t fate;   /* enum call_fate */
};

struct measured_calls {
    struct measured_call *items; /* by their ends, those of one thread */
    size_t count, capacity;
    uint32_t deepest; /* so many at once on one thread */
};

void measured_calls_find(struct measured_calls *calls, const struct request_hits *hits);
/* Those are DOUBTFUL in whose time hits were lost; `losses` are by their ends. */
void measured_calls_doubt(struct measured_calls *calls, const struct point_loss *losses,
                          size_t count);
size_t measured_calls_count(const struct measured_calls *calls, enum call_fate fate);
void measured_calls_release(struct measured_calls *calls);

#endif
