/* span_view.h - the timed calls of one thread around some moment, a page at a time.
 *
 *     struct span_cache cache;
 *     span_cache_init(&cache, &run);
 *     struct span_view view;
 *     span_view_seek(&view, &cache, &run.threads[t], time);      the page of the time before `time`
 *     for (uint32_t i = span_view_ended(&view, time); i < view.count; i++)
 *         view.spans[i]                                          ended at `time` or before
 *     span_view_back(&view)                                      the page before it, or false
 *
 *     time    |--a------------------------|           spans[]: a d c b
 *               |--b--|  |--d---------|               from the latest end to the earliest; a parent
 *                            |-c-|                    stands before its children
 *
 * A view has all calls that overlap its page's time. First come the `open` ones, which end later:
 * they are the `crossing` ones, which began earlier, of the view that one came back from, in the
 * same order. A thread's calls are either all in memory, as one page, or are read from its log when
 * they are asked for and kept, the latest used, in the cache: a bounded amount, whatever the size
 * of the trace. To seek or go back makes other views of the cache void. A cache is for one thread.
 */
#ifndef TRACE_SPAN_VIEW_H
#define TRACE_SPAN_VIEW_H

#include "trace/span_pages.h"

struct span_slot {
    struct span_page_calls calls;
    uint32_t page; /* number among those of all threads */
    bool used;     /* since the hand was here */
};

struct span_cache {
    const struct timelines *run;
    struct span_slot *slots;
    uint32_t slot_count, filled, hand;
    uint32_t *slot_of;             /* by page: slot + 1, or 0 */
    struct span_page_calls *whole; /* by thread, of those without pages */
    uint64_t read_bytes;
    struct span_pages_scratch scratch;
};

/* How many calls a page of a run with `threads` shall have. */
uint32_t span_cache_page_calls(uint32_t threads);
void span_cache_init(struct span_cache *cache, const struct timelines *run);
void span_cache_release(struct span_cache *cache);

struct span_view {
    struct span_cache *cache;
    const struct span_pages *pages; /* NULL: the only page */
    const struct span *spans;
    const uint32_t *crossing; /* indices in spans */
    uint32_t count, crossing_count;
    uint32_t page;
    time_ns begin; /* of its time */
};

void span_view_seek(struct span_view *view, struct span_cache *cache,
                    const struct timeline_thread *thread, time_ns time);
bool span_view_back(struct span_view *view);

/* The first that ends at `time` or before. */
uint32_t span_view_ended(const struct span_view *view, time_ns time);
/* The innermost one that starts at or before `time` and ends after it, or SPAN_NONE. */
uint32_t span_view_innermost(const struct span_view *view, time_ns time);

#endif
