/* span_walk.h - the timed calls of one thread that overlap a stretch of time, backwards.
 *
 *     struct span_walk walk;
 *     span_walk_init(&walk, &run);
 *     span_walk_run(&walk, &run.threads[t], lo, hi, tag, visit, context);      lo < hi
 *     span_walk_release(&walk);
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
    uint64_t target;       /* address of an indirect callee, or 0 */
    uint32_t probe, depth; /* in how many calls it is */
    bool inside;           /* ends before the stretch does, as it is known of most */
};

/* A call that is open where the walk is. Below the outermost one stands what has `tag` only. */
struct walk_open {
    uint64_t start_ticks;
    time_ns start;
    time_ns limit; /* calls in it that are yet to come end here or before */
    uint64_t tag;  /* what the visitor said of it */
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
    uint32_t page, open_capacity, index_capacity;
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
    ptrdiff_t ahead; /* from a record to what the next walk is likely to read */
};

void span_walk_init(struct span_walk *walk, const struct timelines *run);
void span_walk_release(struct span_walk *walk);

/* What span_walk_run is made of. */
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

/* The innermost open call that does not start later. How many calls begin between two ends is a
 * toss, and a wrong guess of the processor costs more than the three comparisons that most often
 * find it out without a branch. */
static inline struct walk_open *walk_around(struct walk_open *top, uint64_t start_ticks)
{
    top -= (top[0].start_ticks > start_ticks) + (top[-1].start_ticks > start_ticks) +
           (top[-2].start_ticks > start_ticks);
    while (__builtin_expect(top->start_ticks > start_ticks, 0))
        top--;
    return top;
}

/* The next call; false: it ends before the stretch begins. All is inlined with its visitor: it is
 * the analysis' innermost loop. */
static inline __attribute__((always_inline)) bool
walk_call(struct span_walk *walk, struct walk_open **innermost, const struct span_ticks *ticks,
          struct clock_stretch ns, time_ns lo, bool inside, walk_visitor *visit, void *context)
{
    struct walk_open *top = *innermost, *around = walk_around(top, ticks->start);
    struct walked_call call = {.target = ticks->target, .probe = ticks->probe, .inside = inside};
    call.end = ns.end < around->limit ? ns.end : around->limit;
    call.start = ns.start < call.end ? ns.start : call.end;
    call.depth = (uint32_t)(around - span_walk_floor(walk));
    if (call.end <= lo)
        return false;
    uint64_t said = 0;
    if (inside || ticks->start < walk->hi_ticks)
        said = visit(context, &call, around, top);
    around->limit = call.start;
    around[1] = (struct walk_open){ticks->start, call.start, call.end, said};
    *innermost = around + 1;
    return true;
}

/* The calls of a run, the last one first. */
static inline __attribute__((always_inline)) bool
walk_outside(struct span_walk *walk, const struct clock_line *clock, const struct span_run *run,
             time_ns lo, walk_visitor *visit, void *context)
{
    bool within = true;
    for (uint32_t i = run->count; i-- > 0 && within;) {
        struct span_ticks ticks = span_ticks_at(run->first + (size_t)i * SPAN_RECORD);
        struct clock_stretch ns = clock_line_stretch(clock, ticks.start, ticks.end);
        within = walk_call(walk, &walk->top, &ticks, ns, lo, false, visit, context);
    }
    return within;
}

/* The same where the last of them is inside: then all are, and need fewer questions. */
static inline __attribute__((always_inline)) bool
walk_inside(struct span_walk *walk, const struct clock_line *clock, const struct span_run *run,
            time_ns lo, walk_visitor *visit, void *context)
{
    enum { SOME = 64, OF_LINE = 64 / SPAN_RECORD };
    const struct trace_function *calls = (const struct trace_function *)(const void *)run->first;
    struct clock_stretch times[SOME];
    struct walk_open *top = walk->top;
    bool within = true;
    for (uint32_t left = run->count, count; left && within; left -= count) {
        count = left < SOME ? left : SOME;
        const struct trace_function *first = calls + left - count;
        for (uint32_t i = 0; i < count; i += OF_LINE)
            __builtin_prefetch((const char *)&first[i] + walk->ahead);
        walk->read_times(clock, first, count, times);
        for (uint32_t i = count; i-- > 0 && within;) {
            struct span_ticks ticks = span_ticks_of(&first[i]);
            within = walk_call(walk, &top, &ticks, times[i], lo, true, visit, context);
        }
    }
    walk->top = top;
    return within;
}

static inline bool walk_is_inside(const struct span_walk *walk, const struct span_run *run)
{
    const struct trace_function *calls = (const struct trace_function *)(const void *)run->first;
    return TRACE_HEAD_KIND(calls->head) == TRACE_FUNCTION &&
           span_ticks_of(&calls[run->count - 1]).end < walk->hi_ticks;
}

static inline __attribute__((always_inline)) void
span_walk_run(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo, time_ns hi,
              uint64_t tag, walk_visitor *visit, void *context)
{
    if (!thread->pages) {
        span_walk_whole(walk, thread, lo, hi, tag, visit, context);
        return;
    }
    const struct clock_line clock = clock_line_of(&thread->pages->clock, thread->pages->base,
                                                  thread->pages->first, thread->pages->last);
    for (bool more = span_walk_begin(walk, thread, lo, hi, tag); more;
         more = span_walk_back(walk)) {
        for (const struct span_run *run = walk->runs + walk->run_count; run-- > walk->runs;)
            if (walk_is_inside(walk, run) ? !walk_inside(walk, &clock, run, lo, visit, context)
                                          : !walk_outside(walk, &clock, run, lo, visit, context))
                return;
    }
}

#endif
