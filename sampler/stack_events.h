/* stack_events.h - perf events that copy the stacks of threads that begin to wait, or wake another.
 *
 *     all threads           one wait of 40 with its stack       so many as stack_pace.h allows
 *     those that wait long  each wait, up to a rate             they do it seldom
 *     who has a processor   by a clock                          what it computes
 *
 * They have rings of their own: a copied stack is large, and may not push out what the scheduler's
 * events tell. The clock's period is drawn anew all the time, from half of its mean to three halves:
 * a program that does what it does in turns of any length is then seen in all of its turns alike. (Of
 * a program whose turns are as long as the mean, where two samples are d apart in its turn, cos(2 pi
 * d) is 0 in the mean over all draws; with a fifth in place of the half it would be 0.76.) Each
 * sample stands for the time since the one before it on its processor. One thread at a time.
 */
#ifndef SAMPLER_STACK_EVENTS_H
#define SAMPLER_STACK_EVENTS_H

#include "sampler/kernel_event.h"
#include "sampler/perf_rings.h"
#include "sampler/stack_pace.h"
#include "sampler/stack_rate.h"
#include "sampler/stranger_list.h"
#include "sampler/unwinder.h"
#include "sampler/watch_list.h"

/* One event, of all threads and of those that wait long. Descriptors are -1 where there is none. */
struct stack_source {
    int all_fd, slow_fd;
    struct stack_rates rates;
};

enum { STACK_WAITS, STACK_WAKINGS, STACK_SOURCES };

/* Of one processor. */
struct stack_place {
    struct stack_source sources[STACK_SOURCES];
    int clock;
    uint64_t tick_ns;  /* of the clock, the latest */
    uint64_t every_ns; /* each of its samples stands for; 0: for the time since the one before */
    bool holds;        /* the ring's first record was given out */
};

struct stack_events {
    struct perf_rings rings;
    const struct event_layout *layout; /* borrowed */
    struct stack_place *places;
    uint32_t long_waits[WATCH_LIST_LONG];
    uint32_t long_known;  /* as of watch_list_long */
    uint32_t stack_bytes; /* so much of a stack is copied */
    struct stranger_list strangers;
    int source_count;
    bool preempted; /* whoever goes off its processor, and not only who waits */
    bool together;  /* samples are taken when there are some, not each at once */
    bool paused;
    _Atomic uint64_t enabled_ns; /* the latest pause ended */
    uint64_t looked_ns,
        watched_ns; /* at the rates, or the latest pause ended; before that, since the last look */
    uint64_t random;
    uint64_t taken, lost; /* copied stacks; samples that found no room */
};

/* What came with a stack, or tells that a process's maps are others. It is valid until the next of
 * its processor is asked for. The clock's samples are told as EVENT_FAULT. */
struct stack_seen {
    struct kernel_event event;
    const uint64_t *kernel; /* addresses, the innermost first */
    size_t kernel_count;
    struct unwinder_thread thread; /* no registers: it was in no process */
    uint32_t one_in;               /* so many it stands for */
    uint64_t amount_ns;            /* of the clock: so long */
    bool remaps;                   /* it is no stack, but this */
    struct kernel_remap remap;
};

/* For who adds events of its own (own_stacks.h): there are none yet. False and errno: this machine's stacks can't be
 * followed. */
bool stack_events_begin(struct stack_events *events, const struct event_layout *layout,
                        uint32_t stack_bytes, size_t ring_bytes);
/* What an event has that copies a stack each time that it happened `every` times. */
struct perf_event_attr stack_events_attr(const struct stack_events *events, uint32_t type,
                                         uint64_t config, uint64_t every);
/* The wish says whose stacks, the pace how many. False: they are not allowed, and errno. */
bool stack_events_open(struct stack_events *events, const struct event_layout *layout,
                       const struct stack_pace *pace, const struct stack_wish *wish,
                       size_t ring_bytes);
/* The next of a processor since the last ring_look; false: there is none. */
bool stack_events_next(struct stack_events *events, uint32_t place, struct stack_seen *seen);
/* It is of another program's thread. */
void stack_events_in_vain(struct stack_events *events, const struct stack_seen *seen);
/* Follows how many there were since the last look, how many there may be, and who waits long. */
void stack_events_follow(struct stack_events *events, struct watch_list *list,
                         const struct stack_pace *pace);
/* More of each stack is copied from now on. False: it is the most already. */
bool stack_events_deepen(struct stack_events *events, const struct stack_pace *pace);
void stack_events_pause(struct stack_events *events, bool paused);
void stack_events_close(struct stack_events *events);

#endif
