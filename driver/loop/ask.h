/* ask.h - the question of the paper's loop: open this factor in the next round?
 *
 *     pthread_mutex_lock, 45 % of the variance, waits for process (server.c:40, calls 3 functions).
 *       Open it? [Y/n/?]
 *
 * It is asked on stderr and answered on stdin: Enter or y opens, n does not, numbers open a part of a
 * list, a opens all from there on, q (or the end of the input) opens nothing more, and ? explains
 * that. What was declined is not asked again.
 */
#ifndef DRIVER_LOOP_ASK_H
#define DRIVER_LOOP_ASK_H

#include <stdbool.h>

#include "driver/loop/refine_loop.h"

/* What was answered so far. */
struct asker {
    bool *declined; /* by function; allocated by the first question */
    bool ended;     /* nothing more is opened */
    bool all;       /* everything is opened */
};

/* Leaves in the proposal what is to be opened: false where that is nothing. The factor is NULL for
 * time outside every timed function. */
bool ask_to_open(struct asker *asker, const struct refine_loop *loop, const struct factor *factor,
                 struct proposal *proposal);
void asker_release(struct asker *asker);

#endif
