/* span_pages.h - the timed calls of one thread, left in its log to be read a page of time at a
 * time.
 *
 *     log     | b  c  d  | e  a  f |     calls in the order of their ends, two pages
 *     time    |--a--------------|        a began in page 0 and ended in page 1: an outer call
 *             | |b||c| |d|  |e| | |f|
 *
 * A page holds the calls that ended in its time. Kept in memory is only where they stand side by
 * side, and where the outer calls stand, which ended in a later page than they began in. With those
 * that are open at the end of a page, its own calls make the same tree as all calls of the thread
 * do within the page's time. A page ends where it is full, or at an annotation once it has an
 * eighth of that: there few calls are open, and from there the analysis asks for calls.
 *
 *     struct span_pages_builder b = {0};
 *     span_pages_begin(&b, calls);  span_pages_add(&b, call, at); ...     in the order of the log
 *     if (span_pages_finish(&b, &pages, arena, reader, clock, base))
 *         count = span_pages_read(&pages, page, runs);          runs[calls_of_page]
 *
 * A signal handler that runs while a record is being made puts its own before it, although they are
 * later: a page that has such a late call is put in order when it is read.
 * False: calls overlap across pages, or are out of order in another way (a damaged log; a handler
 * whose records fill more than a page): then the log has to be read as a whole.
 * Pages are read-only and may be read by several threads.
 */
#ifndef TRACE_SPAN_PAGES_H
#define TRACE_SPAN_PAGES_H

#include "base/arena.h"
#include "trace/clock_map.h"
#include "trace/span_list.h"
#include "trace/timeline.h"
#include "trace/trace_reader.h"

struct span_outer {
    uint64_t start; /* ticks */
    uint64_t at;    /* where it stands in the file */
    uint32_t outer; /* the outer call around it, or SPAN_NONE */
};

struct span_page {
    uint64_t end_ticks;  /* the calls from here on that are not outer ones stand in later pages */
    uint32_t place : 31; /* the first of its places */
    uint32_t late : 1;   /* some of its calls are */
    uint32_t outer;      /* the innermost outer call that is open at the end, or SPAN_NONE */
};

/* Calls of a page that stand side by side in the file. */
struct span_place {
    uint64_t at : 44;
    uint64_t calls : 20;
};

struct span_pages {
    struct trace_reader *reader;
    struct clock_map clock;
    uint64_t base;
    uint64_t first, last; /* ticks: no call began before, or ended later */
    uint32_t page_count;
    uint32_t calls_of_page;  /* at most */
    struct span_page *pages; /* and one more, which has no place */
    struct span_place *places;
    struct span_outer *outers;
};

enum { SPAN_MOST_CALLS = (1 << 19) - 1 }; /* of a page */

struct call_scan;
struct span_pages_builder {
    const struct call_scan *scan;
    uint32_t calls_of_page, room; /* for so many calls the last page has room */
    bool full;                    /* all the same, the next call begins a page */
    bool tidy;
    uint64_t first, last; /* ticks; first > last: there is no call */
    uint64_t mark;        /* of the latest annotation */
    uint64_t page_begin, outer_end;
    uint64_t run_at, run_end; /* from there to there, calls of the page stand side by side */
    uint64_t run_last;        /* all before them ended by then; ticks */
    struct span_page *pages;
    size_t page_count, page_capacity;
    struct span_place *places;
    size_t place_count, place_capacity;
    struct span_outer *outers;
    size_t outer_count, outer_capacity;
    struct open_outer *open; /* those around which none was found yet */
    size_t open_count, open_capacity;
};

void span_pages_begin(struct span_pages_builder *b, uint32_t calls_of_page);
void span_pages_add(struct span_pages_builder *b, struct span_ticks call, uint64_t at);
/* An annotation comes. */
void span_pages_mark(struct span_pages_builder *b, uint64_t ticks);
/* The calls of 16 bytes that stand next; the cursor passes over them. */
void span_pages_add_calls(struct span_pages_builder *b, struct trace_cursor *cursor);
bool span_pages_finish(struct span_pages_builder *b, struct span_pages *pages, struct arena *arena,
                       struct trace_reader *reader, const struct clock_map *clock, uint64_t base);
void span_pages_builder_release(struct span_pages_builder *b);

/* Records of calls that stand side by side in the mapped file, 16 bytes from one to the next. */
struct span_run {
    const char *first;
    uint32_t count;
};
enum { SPAN_RECORD = sizeof(struct trace_function) };

/* A page's own calls, in the order in which they ended; how many runs they are. */
uint32_t span_pages_read(const struct span_pages *pages, uint32_t page, struct span_run *runs);

#endif
