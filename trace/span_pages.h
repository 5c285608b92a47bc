/* span_pages.h - the timed calls of one thread, left in its log to be read a page of time at a
 * time.
 *
 *     log     | b  c  d  | e  a  f |     calls in the order of their ends, two pages
 *     time    |--a--------------|        a began in page 0 and ended in page 1: an outer call
 *             | |b||c| |d|  |e| | |f|
 *
 * A page holds the calls that ended in its time. Only the outer calls, which ended in a later page
 * than they began in, are kept in memory; with those that are open at the end of a page, its own
 * calls make the same tree as all calls of the thread do within the page's time.
 *
 *     struct span_pages_builder b = {0};
 *     span_pages_begin(&b, calls);  span_pages_add(&b, &call, place); ...  in the order of the log
 *     if (span_pages_finish(&b, &pages, arena, reader, log, clock, base))
 *         span_pages_read(&pages, page, &scratch, &calls);
 *
 * False: calls overlap across pages, or ended before one that was logged earlier (a signal handler
 * ran while a record was made; a damaged log): then the log has to be read as a whole.
 * Pages are read-only and may be read by several threads, each with its own scratch.
 */
#ifndef TRACE_SPAN_PAGES_H
#define TRACE_SPAN_PAGES_H

#include "base/arena.h"
#include "trace/clock_map.h"
#include "trace/span_list.h"
#include "trace/timeline.h"
#include "trace/trace_reader.h"

struct span_outer {
    struct span_ticks call;
    uint32_t outer; /* the outer call around it, or SPAN_NONE */
};

/* Where a record stands. */
struct span_place {
    uint32_t piece;
    uint64_t at;
};

struct span_page {
    uint64_t end_ticks; /* the calls from here on that are not outer ones stand in later pages */
    time_ns end;
    struct span_place first;
    uint32_t calls;
    uint32_t outer; /* the innermost outer call that is open at the end, or SPAN_NONE */
};

struct span_pages {
    struct trace_reader *reader;
    struct clock_map clock;
    uint64_t base;
    uint32_t log;
    uint32_t page_count;
    uint32_t number; /* of the first page among those of all threads */
    struct span_page *pages;
    struct span_outer *outers;
};

struct span_pages_builder {
    uint32_t calls_of_page;
    bool tidy;
    uint64_t page_begin, last_end, outer_end;
    struct span_page *pages;
    size_t page_count, page_capacity;
    struct span_outer *outers;
    size_t outer_count, outer_capacity;
    uint32_t *open; /* outer calls around which none was found yet */
    size_t open_count, open_capacity;
};

void span_pages_begin(struct span_pages_builder *b, uint32_t calls_of_page);
void span_pages_add(struct span_pages_builder *b, const struct span_ticks *call,
                    struct span_place place);
/* The calls of 16 bytes that stand next. Lowers *first and raises *last to what they take up. */
void span_pages_add_calls(struct span_pages_builder *b, struct trace_cursor *cursor,
                          uint64_t *first, uint64_t *last);
bool span_pages_finish(struct span_pages_builder *b, struct span_pages *pages, struct arena *arena,
                       struct trace_reader *reader, uint32_t log, const struct clock_map *clock,
                       uint64_t base);
void span_pages_builder_release(struct span_pages_builder *b);
/* Everything was `delay` later, and the first page is that of number `number`. */
void span_pages_move(struct span_pages *pages, time_ns delay, uint32_t number);

struct span_stretch {
    uint64_t start, end;
};

struct span_pages_scratch {
    struct span_stretch *ticks; /* of the page's calls */
    struct span_started *stack;
    size_t capacity;
};

/* The calls of a page and those open at its end, from the latest end to the earliest, which puts
 * parents before their children. */
struct span_page_calls {
    struct span *spans;
    uint32_t count, capacity;
    uint32_t *crossing; /* those that began before the page, as indices */
    uint32_t crossing_count, crossing_capacity;
};

void span_pages_read(const struct span_pages *pages, uint32_t page,
                     struct span_pages_scratch *scratch, struct span_page_calls *calls);
void span_page_calls_release(struct span_page_calls *calls);
void span_pages_scratch_release(struct span_pages_scratch *scratch);

#endif
