/* replay_events.h - all moments of a run that a replay goes over, in order of time.
 *
 *     0 made   1 interval 0 begins   1 picked up   1 works for interval 0   2 waited   interval 0 ends ...
 *
 * Of one moment, what makes others possible stands first. What is promised at a moment (a task, a
 * thread, an interval that begins) has a number: where it is taken up, that is not before.
 */
#ifndef WAITS_REPLAY_EVENTS_H
#define WAITS_REPLAY_EVENTS_H

#include "interval/row_list.h"
#include "waits/wait_list.h"

enum replay_event_kind {
    REPLAY_WAIT,    /* wait `number` ends */
    REPLAY_PROMISE, /* promise `number` is given */
    REPLAY_BORN,    /* `vertex` begins; vertex `number` made it */
    REPLAY_TAKE,    /* promise `number` is taken up */
    REPLAY_END      /* interval `number` ends, a row */
};

struct replay_event {
    time_ns time;
    uint32_t vertex, number;
    enum replay_event_kind kind;
};

struct replay_events {
    struct replay_event *items;
    size_t count;
    uint32_t promises; /* those of the rows' intervals first: row r begins with promise r */
};

/* Waits of threads alone. `rows` may be NULL. */
void replay_events_fill(struct replay_events *events, const struct timelines *run,
                        const struct vertex_table *vertices, const struct wait_list *waits,
                        const struct row_list *rows);
void replay_events_release(struct replay_events *events);

#endif
