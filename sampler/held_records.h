/* held_records.h - what happened of late, until it is known whether the run has to do with it.
 *
 *     worker is woken by a disk, runs, wakes a thread of the run: only now is it known that the
 *     worker's own waiting is a part of the thread's
 *
 * A record is named by its number, from 1, and knows the ones before it that explain it:
 *
 *     waking of T by W      .before: T went off      .waker_in: W came on
 *     switch from A to B    .before: what made B come (its waking, or its going off)
 *                           .ran: A came on
 */
#ifndef SAMPLER_HELD_RECORDS_H
#define SAMPLER_HELD_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/trace_format.h"

struct held_record {
    uint64_t time_ns;
    uint64_t before, ran, waker_in; /* numbers, or 0 */
    uint32_t processor;
    uint8_t kind; /* enum trace_kind */
    bool keep;
    bool explained; /* what explains it is kept, too */
    bool told_ran;  /* what A did before is kept, too */
    union {
        struct trace_switch of_switch;
        struct trace_waking of_waking;
        struct trace_request of_request;
        struct trace_missed of_missed;
        struct trace_pause of_pause;
        struct trace_fault of_fault;
        struct trace_who of_who;
    } as;
};

struct held_records {
    struct held_record *records; /* number n is at n & (capacity - 1) */
    size_t capacity, most;       /* powers of two */
    uint64_t first, next;        /* numbers */
};

void held_records_init(struct held_records *held, size_t most);
bool held_records_full(const struct held_records *held);
/* The new record's number; not when full. */
uint64_t held_records_add(struct held_records *held, const struct held_record *record);
/* NULL: no longer held. */
struct held_record *held_records_at(const struct held_records *held, uint64_t number);
struct held_record *held_records_oldest(const struct held_records *held); /* or NULL */
void held_records_drop_oldest(struct held_records *held);
/* The coming of a thread to its processor is kept, and what explains it since then. */
void held_records_keep(struct held_records *held, uint64_t came, uint64_t since_ns);
void held_records_release(struct held_records *held);

#endif
