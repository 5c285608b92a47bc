/* scheduler_log.h - from what a recorder saw of the kernel's scheduler to when each thread had no
 * processor, and why (off_cpu.h).
 *
 *     switch 7 -> 0 (sleeps)   waking of 7 by an interrupt of a disk   switch 0 -> 7
 *     |<-------------------- off_cpu of 7 --------------------------->|     cause READ of vda
 *
 * Events are added in any order and put in that of time. A waking that stands before its thread's
 * switch, where another processor saw it go, is that switch's. Where events were lost, nothing is
 * claimed: a switch that does not follow from the one before makes the thread's time between them
 * one in which it ran, and the processor nobody's. So it is around a pause of the recorder. A single
 * record that is missing between two switches of its processor cannot be a thread's coming and its
 * going: who was off before it, and comes after it, was off all the time. O(n log r), r runs that
 * ascend already: those of the processors' logs.
 */
#ifndef TRACE_SCHEDULER_LOG_H
#define TRACE_SCHEDULER_LOG_H

#include <stddef.h>

#include "base/hash_map.h"
#include "trace/off_cpu.h"

enum scheduler_event_kind {
    SCHEDULER_SWITCH,
    SCHEDULER_WAKING,
    SCHEDULER_ISSUED, /* a block request, by `tid` */
    SCHEDULER_DONE,   /* a block request */
    SCHEDULER_MISSED,
    SCHEDULER_PAUSED,
    SCHEDULER_RESUMED,
    SCHEDULER_FAULT,
    SCHEDULER_WHO,
    SCHEDULER_TITLE, /* of the process `tid` */
    SCHEDULER_KINDS
};

struct scheduler_event {
    time_ns time;
    uint32_t processor; /* WHO, TITLE: the name's number */
    uint32_t tid;       /* SWITCH: from; WAKING, FAULT, WHO: whose */
    uint32_t other;     /* SWITCH: to; WAKING: the waker; ISSUED, DONE: the device; WHO: the pid;
                           MISSED: so many records */
    uint8_t kind;       /* enum scheduler_event_kind */
    uint8_t detail;     /* SWITCH: enum trace_off; WAKING: enum trace_context; ISSUED, DONE: enum
                           trace_request_way; WHO: enum trace_who_what */
    uint8_t cause;      /* WAKING: enum trace_interrupt; WHO: enum trace_whose */
    bool born;          /* WAKING: its first one, by who made it */
};

struct scheduler_log {
    struct scheduler_event *events;
    size_t count, capacity;
    const char **names;
    size_t name_count, name_capacity;
};

/* The name gets a number; it lasts as long as the run. */
uint32_t scheduler_log_name(struct scheduler_log *log, const char *name);
void scheduler_log_add(struct scheduler_log *log, struct scheduler_event event);
/* Fills in the run's kernel tasks, processors and devices, and its threads' `offs`, which live in
 * the run's `scheduler` arena. The threads are there already. */
void scheduler_log_build(struct scheduler_log *log, struct timelines *run);
void scheduler_log_release(struct scheduler_log *log);

#endif
