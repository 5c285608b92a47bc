/* span_walk_run.h - the way over the calls of a walk (trace/span_walk.h), for those that visit
 * them.
 *
 *     span_walk_run(&walk, thread, lo, hi, tag, visit, context);      lo < hi
 *
 * Inlined with its visitor: it is the analysis' innermost loop. span_walk_run_by takes another
 * visitor, of many calls.
 */
#ifndef TRACE_SPAN_WALK_RUN_H
#define TRACE_SPAN_WALK_RUN_H

#include "trace/span_walk.h"

/* The result is one of the two, without a branch: a wrong guess of the processor at a toss costs
 * more. */
static inline struct walk_open *walk_either(bool first, struct walk_open *a, struct walk_open *b)
{
    return __builtin_expect_with_probability(first, 1, 0.5) ? a : b;
}

/* The innermost open call that does not start later. How many calls begin between two ends is a
 * toss, which three comparisons most often find out. The next call waits for the one that is found:
 * what is chosen from is there before it is known what is chosen. */
static inline struct walk_open *walk_around(struct walk_open *top, uint64_t start_ticks)
{
    struct walk_open *one = top - 1, *two = top - 2, *three = top - 3;
    bool later_2 = top[-1].start_ticks > start_ticks, later_3 = top[-2].start_ticks > start_ticks;
    struct walk_open *around = walk_either(top[0].start_ticks > start_ticks, one, top);
    around = walk_either(later_2, two, around);
    around = walk_either(later_3, three, around);
    while (__builtin_expect(around->start_ticks > start_ticks, 0))
        around--;
    return around;
}

/* The next call is taken; false: it ends before the stretch begins. */
static inline __attribute__((always_inline)) bool
walk_call(struct span_walk *walk, struct walk_open **innermost, const struct span_ticks *ticks,
          struct clock_stretch ns, time_ns lo, bool inside, walk_visitor *visit, void *context)
{
    struct walk_open *top = *innermost, *around = walk_around(top, ticks->start);
    struct walked_call call = {
        .target = ticks->target, .part = ticks->part, .probe = ticks->probe, .inside = inside};
    call.end = ns.end < around->room.end ? ns.end : around->room.end;
    call.start = ns.start < call.end ? ns.start : call.end;
    call.depth = (uint32_t)(around - span_walk_floor(walk));
    if (call.end <= lo)
        return false;
    uint64_t said = 0;
    if (inside || ticks->start < walk->hi_ticks)
        said = visit(context, &call, around, top);
    around->room.end = call.start;
    around[1] = (struct walk_open){ticks->start, said, {call.start, call.end}};
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

/* The visitor takes calls that are inside, the last one first, as far as none needs to be cut; the
 * result is how many it leaves. Moves the innermost open call. */
typedef uint32_t walk_many(void *context, struct walk_open **innermost,
                           const struct trace_function *calls, const struct clock_stretch *times,
                           uint32_t count);

static inline uint32_t walk_none(void *context, struct walk_open **innermost,
                                 const struct trace_function *calls,
                                 const struct clock_stretch *times, uint32_t count)
{
    (void)context, (void)innermost, (void)calls, (void)times;
    return count;
}

/* All calls of a run are inside if the last of them is, and need fewer questions than those of
 * walk_outside(). */
static inline __attribute__((always_inline)) bool
walk_inside(struct span_walk *walk, const struct clock_line *clock, const struct span_run *run,
            time_ns lo, walk_visitor *visit, walk_many *many, void *context)
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
            __builtin_prefetch(walk->ahead -= OF_LINE * SPAN_RECORD);
        walk->read_times(clock, first, count, times);
        uint32_t rest = count;
        while (within && (rest = many(context, &top, first, times, rest)) > 0) {
            struct span_ticks ticks = span_ticks_of(&first[--rest]);
            within = walk_call(walk, &top, &ticks, times[rest], lo, true, visit, context);
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
span_walk_run_by(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo,
                 time_ns hi, uint64_t tag, walk_visitor *visit, walk_many *many, void *context)
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
            if (walk_is_inside(walk, run)
                    ? !walk_inside(walk, &clock, run, lo, visit, many, context)
                    : !walk_outside(walk, &clock, run, lo, visit, context))
                return;
    }
}

static inline __attribute__((always_inline)) void
span_walk_run(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo, time_ns hi,
              uint64_t tag, walk_visitor *visit, void *context)
{
    span_walk_run_by(walk, thread, lo, hi, tag, visit, walk_none, context);
}

#endif
