#include "trace/span_pages.h"

#include <string.h>

#include "base/memory.h"
#include "trace/call_scan.h"

/* An outer call is open while what is around it is not known. */
struct open_outer {
    uint64_t end; /* ticks */
    uint32_t index;
};

void span_pages_begin(struct span_pages_builder *b, uint32_t calls_of_page)
{
    b->scan = call_scan_at(0);
    b->calls_of_page = calls_of_page;
    b->tidy = true;
    b->first = UINT64_MAX;
    b->room = 0;
    b->full = true;
    b->page_begin = b->last = b->outer_end = b->mark = 0;
    b->run_at = b->run_end = b->run_last = 0;
    b->page_count = b->place_count = b->outer_count = b->open_count = 0;
}

void span_pages_builder_release(struct span_pages_builder *b)
{
    memory_free(b->pages);
    memory_free(b->places);
    memory_free(b->outers);
    memory_free(b->open);
    *b = (struct span_pages_builder){0};
}

static void builder_close_page(struct span_pages_builder *b, uint64_t end_ticks)
{
    if (b->page_count)
        b->pages[b->page_count - 1].end_ticks = end_ticks;
}

/* A page begins with a call that ended at `end`. The last page ends with its last call, or with the
 * annotation behind it. Until span_pages_finish, `outer` of a page is the number of outer calls
 * before it. */
static void builder_open_page(struct span_pages_builder *b, uint64_t at, uint64_t end)
{
    uint64_t begin = b->mark > b->last && b->mark <= end ? b->mark : b->last;
    builder_close_page(b, begin);
    b->page_begin = b->page_count ? begin : 0;
    b->outer_end = 0;
    b->room = b->calls_of_page;
    b->full = false;
    b->run_at = b->run_end = at;
    b->run_last = b->page_begin;
    VEC_PUSH(b->pages, b->page_count, b->page_capacity) = (struct span_page){
        .place = (uint32_t)b->place_count & INT32_MAX, .outer = (uint32_t)b->outer_count};
}

/* Room is made for a call that ended at `end`. A late one belongs to the page of those logged
 * before it. */
static void builder_make_room(struct span_pages_builder *b, uint64_t at, uint64_t end)
{
    if (b->room && !b->full)
        return;
    if (!b->page_count || end >= b->last) {
        builder_open_page(b, at, end);
    } else if (!b->room) {
        b->tidy &= b->calls_of_page++ < SPAN_MOST_CALLS;
        b->room = 1;
    }
}

static void builder_add_place(struct span_pages_builder *b, uint64_t at, uint32_t calls)
{
    VEC_PUSH(b->places, b->place_count, b->place_capacity) = (struct span_place){at, calls};
    b->room -= calls;
}

/* Calls of 16 bytes, for which the page has room. */
static void builder_add_row(struct span_pages_builder *b, uint64_t at, uint32_t calls)
{
    bool first = b->place_count == b->pages[b->page_count - 1].place;
    struct span_place *last = first ? NULL : &b->places[b->place_count - 1];
    if (!last || last->at + (uint64_t)last->calls * SPAN_RECORD != at) {
        builder_add_place(b, at, calls);
        return;
    }
    last->calls += calls;
    b->room -= calls;
}

void span_pages_mark(struct span_pages_builder *b, uint64_t ticks)
{
    b->mark = ticks;
    b->full = b->calls_of_page - b->room > b->calls_of_page / 8;
}

/* The outer calls that are still open have starts that increase from the first to the last. */
static void builder_add_outer(struct span_pages_builder *b, uint64_t start, uint64_t end,
                              uint64_t at)
{
    uint32_t index = (uint32_t)b->outer_count;
    while (b->open_count && b->outers[b->open[b->open_count - 1].index].start >= start)
        b->outers[b->open[--b->open_count].index].outer = index;
    if (b->open_count && b->open[b->open_count - 1].end > start)
        b->tidy = false;
    VEC_PUSH(b->outers, b->outer_count, b->outer_capacity) =
        (struct span_outer){start, at, SPAN_NONE};
    VEC_PUSH(b->open, b->open_count, b->open_capacity) = (struct open_outer){end, index};
    b->outer_end = end;
}

/* A call is late if those before it in its page that ended after it also began after it, which is
 * what a signal handler's calls do. */
static bool is_late(const struct span_pages_builder *b, const struct trace_function *call,
                    uint64_t at)
{
    uint64_t end = span_ticks_of(call).end;
    for (; at > b->run_at; at -= sizeof *call) {
        struct span_ticks before = span_ticks_of(--call);
        if (before.end > end && before.start <= end)
            return false;
    }
    return b->run_last <= end;
}

static void builder_take(struct span_pages_builder *b, uint64_t start, uint64_t end, uint64_t at)
{
    b->last = end > b->last ? end : b->last;
    if (start < b->page_begin)
        builder_add_outer(b, start, end, at);
    else if (start < b->outer_end)
        b->tidy = false;
}

void span_pages_add(struct span_pages_builder *b, struct span_ticks call, uint64_t at)
{
    builder_make_room(b, at, call.end);
    builder_add_place(b, at, 1);
    b->first = call.start < b->first ? call.start : b->first;
    b->tidy &= call.end >= b->last;
    builder_take(b, call.start, call.end, at);
}

/* The other calls are those that are outer ones, or out of order. */
static void builder_take_other(struct span_pages_builder *b, const struct trace_function *call,
                               uint64_t at)
{
    struct span_ticks ticks = span_ticks_of(call);
    b->first = ticks.start < b->first ? ticks.start : b->first;
    if (ticks.end < b->last) {
        b->tidy &= is_late(b, call, at);
        b->pages[b->page_count - 1].late = true;
    }
    builder_take(b, ticks.start, ticks.end, at);
}

/* The calls from a place on are taken; the result is how many of `most` records are calls. Most of
 * them are no outer calls, and end one after the other. */
static uint32_t builder_take_calls(struct span_pages_builder *b, const struct trace_function *calls,
                                   uint32_t most, uint64_t at)
{
    for (uint32_t i = 0;; i++) {
        uint64_t inner = b->page_begin > b->outer_end ? b->page_begin : b->outer_end;
        i += b->scan->in_order(&calls[i], most - i, inner, &b->first, &b->last);
        if (i == most || TRACE_HEAD_KIND(calls[i].head) != TRACE_FUNCTION)
            return i;
        builder_take_other(b, &calls[i], at + i * sizeof *calls);
    }
}

static void builder_begin_run(struct span_pages_builder *b, uint64_t at)
{
    if (at == b->run_end)
        return;
    b->run_at = b->run_end = at;
    b->run_last = b->last > b->page_begin ? b->last : b->page_begin;
}

void span_pages_add_calls(struct span_pages_builder *b, struct trace_cursor *cursor)
{
    for (;;) {
        uint64_t left = (cursor->end - cursor->at) / sizeof(struct trace_function);
        const char *at = cursor->reader->map.data + cursor->at;
        const struct trace_function *calls = (const struct trace_function *)(const void *)at;
        if (!left || TRACE_HEAD_KIND(calls->head) != TRACE_FUNCTION)
            return;
        builder_begin_run(b, cursor->at);
        builder_make_room(b, cursor->at, span_ticks_of(calls).end);
        uint32_t room = b->full ? 1 : b->room, most = left < room ? (uint32_t)left : room;
        uint32_t taken = builder_take_calls(b, calls, most, cursor->at);
        builder_add_row(b, cursor->at, taken);
        b->run_end = cursor->at += taken * sizeof *calls;
    }
}

/* An outer call that ended in the next page began before it; those that ended later may have begun
 * in it. */
static void builder_link(struct span_pages_builder *b)
{
    uint32_t open = SPAN_NONE, end = (uint32_t)b->outer_count;
    for (size_t p = b->page_count; p-- > 0;) {
        struct span_page *page = &b->pages[p];
        while (open != SPAN_NONE && b->outers[open].start >= page->end_ticks)
            open = b->outers[open].outer;
        uint32_t first = page->outer;
        page->outer = open;
        if (first < end)
            open = first;
        end = first;
    }
}

bool span_pages_finish(struct span_pages_builder *b, struct span_pages *pages, struct arena *arena,
                       struct trace_reader *reader, const struct clock_map *clock, uint64_t base)
{
    if (!b->tidy || b->outer_count >= SPAN_NONE || b->place_count > INT32_MAX)
        return false;
    builder_close_page(b, b->last);
    builder_link(b);
    *pages = (struct span_pages){.reader = reader,
                                 .clock = *clock,
                                 .base = base,
                                 .first = b->first,
                                 .last = b->last,
                                 .page_count = (uint32_t)b->page_count,
                                 .calls_of_page = b->calls_of_page,
                                 .pages = ARENA_ARRAY(arena, struct span_page, b->page_count + 1),
                                 .places = ARENA_ARRAY(arena, struct span_place, b->place_count),
                                 .outers = ARENA_ARRAY(arena, struct span_outer, b->outer_count)};
    if (b->page_count)
        memcpy(pages->pages, b->pages, sizeof *b->pages * b->page_count);
    if (b->place_count)
        memcpy(pages->places, b->places, sizeof *b->places * b->place_count);
    pages->pages[b->page_count] = (struct span_page){.place = (uint32_t)b->place_count & INT32_MAX};
    if (b->outer_count)
        memcpy(pages->outers, b->outers, sizeof *b->outers * b->outer_count);
    return true;
}

/* Runs of one call each. */
static void split_runs(struct span_run *runs, uint32_t count, uint32_t calls)
{
    while (count--)
        for (struct span_run run = runs[count]; run.count; run.count--)
            runs[--calls] = (struct span_run){run.first + (size_t)(run.count - 1) * SPAN_RECORD, 1};
}

/* A call is put where trace/span_list.h has it: before those that began after its end. */
static void settle_calls(struct span_run *runs, uint32_t calls)
{
    for (uint32_t i = 1; i < calls; i++) {
        const struct span_run run = runs[i];
        const uint64_t end = span_ticks_at(run.first).end;
        uint32_t to = i;
        for (; to && span_ticks_at(runs[to - 1].first).start > end; to--)
            runs[to] = runs[to - 1];
        runs[to] = run;
    }
}

uint32_t span_pages_read(const struct span_pages *pages, uint32_t page, struct span_run *runs)
{
    const struct span_page *from = &pages->pages[page];
    uint32_t count = from[1].place - from[0].place, calls = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct span_place place = pages->places[from->place + i];
        runs[i] = (struct span_run){pages->reader->map.data + place.at, place.calls};
        calls += place.calls;
    }
    if (!from->late)
        return count;
    split_runs(runs, count, calls);
    settle_calls(runs, calls);
    return calls;
}
