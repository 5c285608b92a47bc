/* wait_list.h - all waits of a run, and the time in which they were recorded.
 *
 *     thread 7   runs |---- waits for 9 ----| wants a processor | runs
 *                     begin                 end
 *
 * A wait ends when its thread is woken, not when it gets a processor: that is another kind of
 * waiting.
 */
#ifndef WAITS_WAIT_LIST_H
#define WAITS_WAIT_LIST_H

#include <stddef.h>

#include "waits/short_lived.h"
#include "waits/user_wait.h"

struct wait_list {
    struct wait *items; /* by beginning */
    size_t count;
    time_ns *
        unfinished; /* by vertex: it waited so long when the recording ended, and nobody had ended that yet */
    time_ns from, until;
    time_ns recorded; /* of that time, what is in no pause */
    struct short_lived shorts;
    struct user_waits user;
};

/* Those of all threads that the kernel's side tells of, and those of virtual ones for their parents; from now on
 * the vertices are told by `of_task` of the list. */
void wait_list_fill(struct wait_list *waits, struct vertex_table *vertices);
void wait_list_release(struct wait_list *waits);

#endif
