/* moments.h - all moments of a window at which a thread lets others go on, or goes on itself, in order of time.
 *
 *     1 interval begins   2 spent 400 us   2 lets 1 go on   1 woken   1 takes the interval up   1 interval ends ...
 *
 * Of one moment, what makes others possible stands first. What is promised at a moment (a release, a task, an interval
 * that begins) has a number: where it is taken up, that is not before. Threads that meet at a barrier are a round.
 */
#ifndef CAUSAL_MOMENTS_H
#define CAUSAL_MOMENTS_H

#include <stddef.h>

#include "trace/experiment.h"

enum moment_kind {
    MOMENT_SPENT,   /* the thread has spent so much on the target: `number` of the run's */
    MOMENT_PROMISE, /* promise `number` is given */
    MOMENT_MEET,    /* the last one of round `number` comes, and all go on */
    MOMENT_WOKEN,   /* wait `number` ends */
    MOMENT_BORN,    /* the thread begins, as promised */
    MOMENT_END,     /* interval `number` ends, counted from `first` */
    MOMENT_VISIT,   /* a unit of work is complete */
    MOMENT_TAKE     /* promise `number` is taken up */
};

struct moment {
    time_ns time;
    uint32_t thread, number;
    enum moment_kind kind;
    uint32_t place; /* as they were found */
};

#define PROMISE_NONE UINT32_MAX
/* A wait ends when its promise is kept, or its round has met; with neither, after as long as it took. */
struct moment_wait {
    const struct block *block;
    uint32_t thread, promise, round;
};

struct moments {
    struct moment *items;
    size_t count, capacity;
    time_ns *promises; /* when they were given; those of the intervals first */
    size_t promise_count, promise_capacity;
    struct moment_wait *waits; /* those of rounds first, round by round */
    size_t wait_count, wait_capacity;
    uint32_t *rounds; /* the first wait of each, and behind the last one's */
    size_t round_count, round_capacity;
    int64_t spent_ns;      /* on the target */
    int64_t unknown_ns;    /* waited for what nobody is known to have ended */
    uint32_t first, until; /* intervals that end in the window, and others between them */
};

/* Of that time; no interval took longer than `longest`. What was there before is used again. */
void moments_gather(struct moments *moments, const struct timelines *run, time_ns from,
                    time_ns until, time_ns longest);
void moments_release(struct moments *moments);

#endif
