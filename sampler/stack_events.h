/* stack_events.h - perf events that copy the stacks of threads that begin to wait, or wake another.
 *
 *     all threads           one wait of 40 with its stack       so many that it costs little
 *     those that wait long  each wait                           they do it seldom
 *     who has a processor   each 10 ms                          what it computes
 *
 * They have rings of their own: a copied stack is large, and may not push out what the scheduler's
 * events tell. One thread at a time.
 */
#ifndef SAMPLER_STACK_EVENTS_H
#define SAMPLER_STACK_EVENTS_H

#include "sampler/kernel_event.h"
#include "sampler/perf_rings.h"
#include "sampler/unwinder.h"
#include "sampler/watch_list.h"

/* Of one processor. Descriptors are -1 where there is none. */
struct stack_place {
    int switches, wakings;           /* of all threads */
    int long_switches, long_wakings; /* of those that wait long */
    uint64_t every, seen; /* one in so many of all threads'; that came since the last look */
    bool holds;           /* the ring's first record was given out */
};

struct stack_events {
    struct perf_rings rings;
    const struct event_layout *layout; /* borrowed */
    struct stack_place *places;
    uint32_t long_waits[WATCH_LIST_LONG];
    uint32_t long_known; /* as of watch_list_long */
    bool paused;
    uint64_t lost; /* samples that found no room */
};

/* What came with a stack. It is valid until the next of its processor is asked for. */
struct stack_seen {
    struct kernel_event event;
    const uint64_t *kernel; /* addresses, the innermost first */
    size_t kernel_count;
    struct unwinder_thread thread; /* no registers: it was in no process */
    uint32_t one_in;               /* so many it stands for */
};

/* What the clock's samples, which are told as EVENT_FAULT, stand for: not a round number, as programs
 * do what they do in turns of round ones. */
#define STACK_CLOCK_NS UINT64_C(10090000)

/* False: they are not allowed, and errno. */
bool stack_events_open(struct stack_events *events, const struct event_layout *layout,
                       size_t ring_bytes);
/* The next of a processor since the last ring_look; false: there is none. */
bool stack_events_next(struct stack_events *events, uint32_t place, struct stack_seen *seen);
/* Follows how many there were in the last `elapsed_ns`, and who waits long. */
void stack_events_follow(struct stack_events *events, struct watch_list *list, uint64_t elapsed_ns);
void stack_events_pause(struct stack_events *events, bool paused);
void stack_events_close(struct stack_events *events);

#endif
