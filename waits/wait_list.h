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

#include "waits/vertex_table.h"

struct wait {
    time_ns begin, end; /* begin < end */
    uint32_t who, whom; /* vertices */
};

struct wait_list {
    struct wait *items; /* by beginning; those of one vertex do not overlap */
    size_t count;
    time_ns *
        unfinished; /* by vertex: it waited so long when the recording ended, and nobody had ended that yet */
    time_ns from, until;
    time_ns recorded; /* of that time, what is in no pause */
    time_ns spun;     /* of the waits, what was spent on a processor (spin_waits.h) */
};

/* Those of all threads that the kernel's side tells of. */
void wait_list_fill(struct wait_list *waits, const struct vertex_table *vertices);
/* After some were added, or got another vertex: by their beginnings. A thread waits for one at a time: where a record
 * says otherwise, the wait that began first goes on. */
void wait_list_order(struct wait_list *waits, uint32_t vertex_count);
void wait_list_release(struct wait_list *waits);

#endif
