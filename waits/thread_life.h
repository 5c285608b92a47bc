/* thread_life.h - what a thread did in a window of time.
 *
 *     thread 7   runs |---- blocked for 9 ----| wants a processor | runs
 *
 * As the kernel's side tells it. Where nothing is known of the thread, as before its beginning or in
 * a pause of the recorder, there is no stretch.
 */
#ifndef WAITS_THREAD_LIFE_H
#define WAITS_THREAD_LIFE_H

#include "waits/vertex_table.h"

enum thread_state { THREAD_RUNS, THREAD_WANTS, THREAD_BLOCKED };

struct thread_stretch {
    time_ns from, until; /* from < until */
    enum thread_state state;
    uint32_t whom; /* THREAD_BLOCKED: the vertex that it waits for */
};

struct thread_life {
    struct thread_stretch *items; /* by time; none of them overlap */
    size_t count, capacity;
};

/* Cut to [from, until]; nothing of a vertex that is no thread. */
void thread_life_find(struct thread_life *life, const struct vertex_table *vertices,
                      uint32_t vertex, time_ns from, time_ns until);
void thread_life_release(struct thread_life *life);

#endif
