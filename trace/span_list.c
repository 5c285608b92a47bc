#include "trace/span_list.h"

#include "base/memory.h"

enum { HANDLER_RECORDS = 256 };

/* Move the newest call before those that started after its end. */
static void span_list_settle(struct span_list *list)
{
    struct nest_item *items = list->items;
    struct span_call *calls = list->calls;
    size_t i = list->count - 1, last = i > HANDLER_RECORDS ? i - HANDLER_RECORDS : 0;
    for (; i > last && items[i - 1].start > items[i].end; i--) {
        struct nest_item item = items[i];
        struct span_call call = calls[i];
        items[i] = items[i - 1];
        calls[i] = calls[i - 1];
        items[i - 1] = item;
        calls[i - 1] = call;
    }
}

static uint64_t ticks_end(uint64_t start_ticks, uint64_t duration)
{
    uint64_t room = (uint64_t)INT64_MAX - start_ticks; /* start_ticks has 56 bits */
    return start_ticks + (duration < room ? duration : room);
}

/* `began` is the clock's as a damaged file has it, too. */
static struct span_ticks ticks_of_part(const struct trace_part *part)
{
    uint64_t start = TRACE_HEAD_TICKS(part->head);
    return (struct span_ticks){start, ticks_end(start, part->duration), part->target, part->probe,
                               SPAN_PART(part->began, part->began == start)};
}

struct span_ticks span_ticks_of_other(const void *record)
{
    const struct trace_function_long *function = record;
    uint64_t start = TRACE_HEAD_TICKS(function->head);
    if (TRACE_HEAD_KIND(function->head) == TRACE_PART)
        return ticks_of_part(record);
    return (struct span_ticks){start, ticks_end(start, function->duration), function->target,
                               function->probe, 0};
}

bool span_list_add(struct span_list *list, struct span_ticks call)
{
    if (list->count >= SPAN_NONE - 1)
        return false;
    struct nest_item item = {.start = (int64_t)call.start, .end = (int64_t)call.end};
    size_t count = list->count;
    VEC_PUSH(list->items, list->count, list->item_capacity) = item;
    VEC_PUSH(list->calls, count, list->call_capacity) =
        (struct span_call){call.target, call.part, call.probe};
    span_list_settle(list);
    return true;
}

struct span span_of_item(const struct nest_item *items, uint32_t i, const struct span_call *call,
                         const struct clock_map *clock, uint64_t base)
{
    uint32_t parent = items[i].parent;
    return (struct span){.start = clock_map_ns(clock, base, (uint64_t)items[i].start),
                         .end = clock_map_ns(clock, base, (uint64_t)items[i].end),
                         .probe = call->probe,
                         .parent = parent == NEST_NONE ? SPAN_NONE : items[parent].place,
                         .target = call->target,
                         .part = call->part};
}

struct span *span_list_build(struct span_list *list, struct arena *arena,
                             const struct clock_map *clock, uint64_t base)
{
    struct span *spans = ARENA_ARRAY(arena, struct span, list->count);
    nest_build(list->items, (uint32_t)list->count);
    for (uint32_t i = 0; i < list->count; i++)
        spans[list->items[i].place] = span_of_item(list->items, i, &list->calls[i], clock, base);
    return spans;
}

void span_list_clear(struct span_list *list)
{
    list->count = 0;
}

void span_list_release(struct span_list *list)
{
    memory_free(list->items);
    memory_free(list->calls);
    *list = (struct span_list){0};
}
