#include "trace/span_pages.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

void span_pages_begin(struct span_pages_builder *b, uint32_t calls_of_page)
{
    b->calls_of_page = calls_of_page;
    b->tidy = true;
    b->page_begin = b->last_end = b->outer_end = 0;
    b->page_count = b->outer_count = b->open_count = 0;
}

void span_pages_builder_release(struct span_pages_builder *b)
{
    memory_free(b->pages);
    memory_free(b->outers);
    memory_free(b->open);
    *b = (struct span_pages_builder){0};
}

/* Until span_pages_finish, `outer` of a page is the number of outer calls before it. */
static void builder_open_page(struct span_pages_builder *b, struct span_place place)
{
    b->page_begin = b->last_end;
    b->outer_end = 0;
    VEC_PUSH(b->pages, b->page_count, b->page_capacity) =
        (struct span_page){.first = place, .outer = (uint32_t)b->outer_count};
}

/* The outer calls that are still open have starts that increase from the first to the last. */
static void builder_add_outer(struct span_pages_builder *b, const struct span_ticks *call)
{
    uint32_t index = (uint32_t)b->outer_count;
    while (b->open_count && b->outers[b->open[b->open_count - 1]].call.start >= call->start)
        b->outers[b->open[--b->open_count]].outer = index;
    if (b->open_count && b->outers[b->open[b->open_count - 1]].call.end > call->start)
        b->tidy = false;
    VEC_PUSH(b->outers, b->outer_count, b->outer_capacity) = (struct span_outer){*call, SPAN_NONE};
    VEC_PUSH(b->open, b->open_count, b->open_capacity) = index;
    b->outer_end = call->end;
}

/* How many more calls the page has room for; a new one where the last is full. */
static uint32_t builder_room(struct span_pages_builder *b, struct span_place place)
{
    if (!b->page_count || b->pages[b->page_count - 1].calls == b->calls_of_page)
        builder_open_page(b, place);
    return b->calls_of_page - b->pages[b->page_count - 1].calls;
}

static inline void builder_take(struct span_pages_builder *b, const struct span_ticks *call)
{
    if (call->end < b->last_end)
        b->tidy = false;
    b->last_end = call->end;
    if (call->start < b->page_begin)
        builder_add_outer(b, call);
    else if (call->start < b->outer_end)
        b->tidy = false;
}

static void builder_count(struct span_pages_builder *b, uint32_t calls)
{
    struct span_page *page = &b->pages[b->page_count - 1];
    page->end_ticks = b->last_end;
    page->calls += calls;
}

void span_pages_add(struct span_pages_builder *b, const struct span_ticks *call,
                    struct span_place place)
{
    builder_room(b, place);
    builder_take(b, call);
    builder_count(b, 1);
}

void span_pages_add_calls(struct span_pages_builder *b, struct trace_cursor *cursor,
                          uint64_t *first, uint64_t *last)
{
    struct span_place place = {cursor->piece, cursor->at};
    uint32_t left;
    const struct trace_function *calls = trace_cursor_calls(cursor, UINT32_MAX, &left);
    while (left) {
        uint32_t room = builder_room(b, place), count = left < room ? left : room;
        for (uint32_t i = 0; i < count; i++) {
            struct span_ticks call = span_ticks_of(&calls[i]);
            *first = call.start < *first ? call.start : *first;
            *last = call.end > *last ? call.end : *last;
            builder_take(b, &call);
        }
        builder_count(b, count);
        calls += count;
        left -= count;
        place.at += count * sizeof *calls;
    }
}

/* An outer call that ended in the next page began before it; those that ended later may have begun
 * in it. */
static void builder_link(struct span_pages_builder *b)
{
    uint32_t open = SPAN_NONE, end = (uint32_t)b->outer_count;
    for (size_t p = b->page_count; p-- > 0;) {
        struct span_page *page = &b->pages[p];
        while (open != SPAN_NONE && b->outers[open].call.start >= page->end_ticks)
            open = b->outers[open].outer;
        uint32_t first = page->outer;
        page->outer = open;
        if (first < end)
            open = first;
        end = first;
    }
}

bool span_pages_finish(struct span_pages_builder *b, struct span_pages *pages, struct arena *arena,
                       struct trace_reader *reader, uint32_t log, const struct clock_map *clock,
                       uint64_t base)
{
    if (!b->tidy || b->outer_count >= SPAN_NONE || b->page_count >= UINT32_MAX)
        return false;
    builder_link(b);
    *pages = (struct span_pages){.reader = reader,
                                 .clock = *clock,
                                 .base = base,
                                 .log = log,
                                 .page_count = (uint32_t)b->page_count,
                                 .pages = ARENA_ARRAY(arena, struct span_page, b->page_count),
                                 .outers = ARENA_ARRAY(arena, struct span_outer, b->outer_count)};
    for (size_t p = 0; p < b->page_count; p++) {
        pages->pages[p] = b->pages[p];
        pages->pages[p].end = clock_map_ns(clock, base, b->pages[p].end_ticks);
    }
    if (b->outer_count)
        memcpy(pages->outers, b->outers, sizeof *b->outers * b->outer_count);
    return true;
}

void span_pages_move(struct span_pages *pages, time_ns delay, uint32_t number)
{
    clock_map_delay(&pages->clock, delay);
    pages->number = number;
    for (uint32_t p = 0; p < pages->page_count; p++)
        pages->pages[p].end += delay;
}

void span_pages_scratch_release(struct span_pages_scratch *s)
{
    memory_free(s->ticks);
    memory_free(s->stack);
    *s = (struct span_pages_scratch){0};
}

void span_page_calls_release(struct span_page_calls *calls)
{
    memory_free(calls->spans);
    memory_free(calls->crossing);
    *calls = (struct span_page_calls){0};
}

/* A call that is open where its page is being read. */
struct span_started {
    uint64_t start;
    uint32_t place; /* in the page's calls; SPAN_NONE: there is none */
};

/* Below the outermost call, and one above the innermost. */
enum { STACK_FLOOR = 3, STACK_ROOM = STACK_FLOOR + 1 };

/* A page being read, in the order of the log: from the last place to the first. */
struct page_reading {
    const struct span_pages *pages;
    const struct span_page *page;
    struct span_page_calls *calls;
    struct span_pages_scratch *scratch;
    uint64_t begin; /* of the page's time */
    uint32_t place; /* of the call before */
};

static uint32_t count_open(const struct span_pages *pages, const struct span_page *page)
{
    uint32_t count = 0;
    for (uint32_t o = page->outer; o != SPAN_NONE; o = pages->outers[o].outer)
        count++;
    return count;
}

static void reading_prepare(struct page_reading *r)
{
    struct span_pages_scratch *s = r->scratch;
    struct span_page_calls *calls = r->calls;
    calls->count = r->page->calls + count_open(r->pages, r->page);
    calls->crossing_count = 0;
    if (calls->count > calls->capacity) {
        calls->capacity = calls->count;
        calls->spans = memory_resize(calls->spans, sizeof *calls->spans * calls->capacity);
    }
    if (calls->count > s->capacity) {
        s->capacity = calls->count;
        s->ticks = memory_resize(s->ticks, sizeof *s->ticks * s->capacity);
        s->stack = memory_resize(s->stack, sizeof *s->stack * (s->capacity + STACK_ROOM));
    }
    r->place = calls->count;
}

static inline void reading_add(struct page_reading *r, const struct span_ticks *call)
{
    const struct span_pages *pages = r->pages;
    uint32_t place = --r->place;
    r->scratch->ticks[place] = (struct span_stretch){call->start, call->end};
    r->calls->spans[place] = (struct span){clock_map_ns(&pages->clock, pages->base, call->start),
                                           clock_map_ns(&pages->clock, pages->base, call->end),
                                           call->probe, SPAN_NONE, call->target};
}

/* The next call that is not one of 16 bytes. */
static bool next_call(struct trace_cursor *cursor, struct span_ticks *call)
{
    struct trace_record record;
    while (trace_cursor_next(cursor, &record))
        if (span_ticks_read(call, &record))
            return true;
    return false;
}

/* First the page's own calls, and then those open at its end. */
static void read_calls(struct page_reading *r)
{
    struct trace_cursor cursor = trace_cursor_again(r->pages->reader, r->pages->log,
                                                    r->page->first.piece, r->page->first.at);
    struct span_ticks call;
    for (uint32_t left = r->page->calls; left;) {
        uint32_t count;
        const struct trace_function *calls = trace_cursor_calls(&cursor, left, &count);
        for (uint32_t i = 0; i < count; i++) {
            call = span_ticks_of(&calls[i]);
            reading_add(r, &call);
        }
        left -= count;
        if (!left)
            break;
        if (!next_call(&cursor, &call))
            BUG("a page lacks calls that were counted");
        reading_add(r, &call);
        left--;
    }
    for (uint32_t o = r->page->outer; o != SPAN_NONE; o = r->pages->outers[o].outer)
        reading_add(r, &r->pages->outers[o].call);
}

/* A call's parent is the innermost open one that does not start later. False: calls have to be cut.
 * How many calls begin between two ends is a toss, and a wrong guess of the processor costs more
 * than the three comparisons that most often find it out without a branch. */
static bool find_parents(struct page_reading *r)
{
    struct span_started *top = r->scratch->stack + STACK_FLOOR - 1;
    struct span_page_calls *calls = r->calls;
    bool overlap = false;
    for (uint32_t i = 0; i < STACK_FLOOR; i++)
        r->scratch->stack[i] = (struct span_started){0, SPAN_NONE};
    top[1].start = UINT64_MAX;
    for (uint32_t i = 0; i < calls->count; i++) {
        struct span_stretch call = r->scratch->ticks[i];
        top -= (top[0].start > call.start) + (top[-1].start > call.start) +
               (top[-2].start > call.start);
        while (top->start > call.start)
            top--;
        overlap |= call.end > top[1].start; /* the sibling that begins next, if any */
        calls->spans[i].parent = top->place;
        *++top = (struct span_started){call.start, i};
        top[1].start = UINT64_MAX;
        if (call.start < r->begin)
            VEC_PUSH(calls->crossing, calls->crossing_count, calls->crossing_capacity) = i;
    }
    return !overlap;
}

/* The same with the cuts that trace/nest.h tells of. */
static void nest_calls(struct page_reading *r)
{
    struct span *spans = r->calls->spans;
    uint32_t n = r->calls->count;
    struct nest_item *items = memory_alloc(sizeof *items * n);
    for (uint32_t i = 0; i < n; i++) {
        struct span_stretch call = r->scratch->ticks[n - 1 - i];
        items[i] = (struct nest_item){.start = (int64_t)call.start, .end = (int64_t)call.end};
    }
    nest_build(items, n);
    for (uint32_t i = 0; i < n; i++) {
        struct span *span = &spans[n - 1 - i];
        struct span_call call = {span->target, span->probe};
        *span = span_of_item(items, i, &call, &r->pages->clock, r->pages->base);
        span->parent = items[i].parent == NEST_NONE ? SPAN_NONE : n - 1 - items[i].parent;
    }
    memory_free(items);
}

void span_pages_read(const struct span_pages *pages, uint32_t page,
                     struct span_pages_scratch *scratch, struct span_page_calls *calls)
{
    struct page_reading r = {
        .pages = pages, .page = &pages->pages[page], .calls = calls, .scratch = scratch};
    r.begin = page ? r.page[-1].end_ticks : 0;
    reading_prepare(&r);
    read_calls(&r);
    if (!find_parents(&r))
        nest_calls(&r);
}
