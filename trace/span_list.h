/* span_list.h - the timed calls of one thread, from records (callees first) to struct span.
 *
 *     struct span_list list = {0};
 *     if (trace_kind_is_call(record.kind))
 *         span_list_add(&list, span_ticks_at(record.data));           in the order of the log
 *     spans = span_list_build(&list, arena, clock, base);             parents first
 *     span_list_clear(&list);  ... the next thread ...  span_list_release(&list);
 *
 * The tree is made in ticks (trace/nest.h) and mapped to ns afterwards, so that calls within the
 * same ns keep their order.
 *
 * A signal handler that runs while a record is being made puts its own records before that one,
 * although they are later; span_list_add sets that right for handlers of up to 256 records.
 */
#ifndef TRACE_SPAN_LIST_H
#define TRACE_SPAN_LIST_H

#include "base/arena.h"
#include "trace/clock_map.h"
#include "trace/nest.h"
#include "trace/timeline.h"

struct span_call {
    uint64_t target, part;
    uint32_t probe;
};

/* A call was recorded in ticks. */
struct span_ticks {
    uint64_t start, end; /* end <= INT64_MAX */
    uint64_t target;
    uint32_t probe;
    uint64_t part; /* as in struct span */
};

struct span_list {
    struct nest_item *items;
    struct span_call *calls;
    size_t count;
    size_t item_capacity;
    size_t call_capacity;
};

static inline struct span_ticks span_ticks_of(const struct trace_function *function)
{
    uint64_t start = TRACE_HEAD_TICKS(function->head), word = function->duration_probe;
    return (struct span_ticks){start, start + (word >> TRACE_PROBE_BITS), 0,
                               (uint32_t)word & TRACE_PROBE_MAX, 0};
}

/* The ticks are those of the record of a call that is not of 16 bytes. */
struct span_ticks span_ticks_of_other(const void *record);

static inline bool trace_kind_is_call(unsigned kind)
{
    return kind == TRACE_FUNCTION || kind == TRACE_FUNCTION_LONG || kind == TRACE_CALL ||
           kind == TRACE_PART;
}

/* The ticks are those of the record of a call. */
static inline struct span_ticks span_ticks_at(const void *record)
{
    return TRACE_HEAD_KIND(*(const uint64_t *)record) == TRACE_FUNCTION
               ? span_ticks_of(record)
               : span_ticks_of_other(record);
}

/* The result is false if there are more calls than a thread can have (2^32 - 2). */
bool span_list_add(struct span_list *list, struct span_ticks call);
struct span *span_list_build(struct span_list *list, struct arena *arena,
                             const struct clock_map *clock, uint64_t base);
/* The span is item `i` of a nest, with what was called in it. */
struct span span_of_item(const struct nest_item *items, uint32_t i, const struct span_call *call,
                         const struct clock_map *clock, uint64_t base);
void span_list_clear(struct span_list *list);
void span_list_release(struct span_list *list);

#endif
