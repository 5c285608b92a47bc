/* span_walk.h - the timed calls of one thread that overlap a stretch of time, backwards.
 *
 *     struct span_walk walk;
 *     span_walk_init(&walk, &run);
 *     span_walk_run(&walk, &run.threads[t], lo, hi, tag, visit, context);      lo < hi
 *     span_walk_release(&walk);                           span_walk_run is in trace/span_walk_run.h
 *
 *     lo                           hi
 *      |--a-------------------------|--|      visits a d c b, their depths are 0 1 2 1:
 *          |--b--|  |--d---------|            from the latest end to the earliest, a call before
 *                       |-c-|                 those in it
 *
 * A call's start and end are its own, not cut to the stretch. Calls that overlap each other are cut
 * as trace/nest.h tells. No tree is made of a log that was left in its file, and nothing is kept of
 * what was read. Cost: the stretch's calls, and up to a page more at both ends. A walk is for one
 * thread at a time.
 */
#ifndef TRACE_SPAN_WALK_H
#define TRACE_SPAN_WALK_H

#include "trace/call_times.h"
#include "trace/span_pages.h"

struct walked_call {
    time_ns start, end;
    uint64_t target, part; /* as in struct span */
    uint32_t probe, depth; /* in how many calls it is */
    bool inside;           /* ends before the stretch does, as it is known of most */
};

/* A call that is open where the walk is. Below the outermost one stands what has `tag` only. */
struct walk_open {
    uint64_t start_ticks;
    uint64_t tag;              /* what the visitor said of it */
    struct clock_stretch room; /* of calls in it that are yet to come */
};

/* `around` is the innermost open call that the next one is in; `innermost` was it until now. What
 * it returns is the call's tag. */
typedef uint64_t walk_visitor(void *context, const struct walked_call *call,
                              const struct walk_open *around, struct walk_open *innermost);

struct walk_whole;
struct span_walk {
    const struct timelines *run;
    const struct span_pages *pages;
    time_ns lo;
    uint64_t hi_ticks;
    uint32_t begun, page; /* it began in that page, and is in that */
    bool more;            /* the page before reaches into the stretch */
    uint32_t open_capacity, index_capacity;
    struct span_run *runs; /* of the page's calls, and those open at its end, the outermost last */
    uint32_t run_count, run_capacity;
    struct walk_open *stack, *top; /* top is the innermost open call */
    size_t stack_capacity;
    const char **open;        /* records of calls that are open at hi, the innermost last */
    uint32_t *indices;        /* the same of calls in memory */
    uint32_t *latest;         /* by thread: the page that the latest walk began in */
    struct walk_whole *whole; /* by thread, of those that are in memory */
    uint64_t read_bytes;
    call_times_way *read_times;
    const char *ahead; /* up to here, what the next walk is likely to read is still to be fetched */
};

void span_walk_init(struct span_walk *walk, const struct timelines *run);
void span_walk_release(struct span_walk *walk);

/* The parts of span_walk_run() are used by it alone. */
bool span_walk_begin(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo,
                     time_ns hi, uint64_t tag);
bool span_walk_back(struct span_walk *walk);
void span_walk_whole(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo,
                     time_ns hi, uint64_t tag, walk_visitor *visit, void *context);

/* Entries below the outermost call: they start before every call. */
enum { WALK_FLOOR = 3 };
static inline struct walk_open *span_walk_floor(const struct span_walk *walk)
{
    return walk->stack + WALK_FLOOR - 1;
}

#endif
