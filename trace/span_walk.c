#include "trace/span_walk.h"

#include "base/memory.h"
#include "base/near_search.h"

enum { FIRST_STACK = 64 };

/* The calls of a thread that are in memory, from the latest end to the earliest. */
struct walk_whole {
    struct span *spans;
    uint32_t *depths;
};

void span_walk_init(struct span_walk *walk, const struct timelines *run)
{
    *walk = (struct span_walk){.run = run, .read_times = call_times_at(0)->read};
    walk->stack_capacity = FIRST_STACK;
    walk->stack = memory_alloc(sizeof *walk->stack * FIRST_STACK);
    walk->latest = memory_zeroed(sizeof *walk->latest * run->thread_count);
    walk->whole = memory_zeroed(sizeof *walk->whole * run->thread_count);
}

void span_walk_release(struct span_walk *walk)
{
    for (uint32_t t = 0; t < walk->run->thread_count; t++) {
        memory_free(walk->whole[t].spans);
        memory_free(walk->whole[t].depths);
    }
    memory_free(walk->whole);
    memory_free(walk->latest);
    memory_free(walk->open);
    memory_free(walk->indices);
    memory_free(walk->runs);
    memory_free(walk->stack);
    *walk = (struct span_walk){0};
}

/* The spans are turned from parents first, left to right, to the latest end first. */
static void make_whole(struct walk_whole *whole, const struct timeline_thread *thread)
{
    uint32_t n = thread->span_count;
    uint32_t *size = memory_zeroed(sizeof *size * n), *place = memory_alloc(sizeof *place * n);
    whole->spans = memory_alloc(sizeof *whole->spans * n);
    whole->depths = memory_alloc(sizeof *whole->depths * n);
    for (uint32_t i = n; i-- > 0;) {
        size[i]++;
        if (thread->spans[i].parent != SPAN_NONE)
            size[thread->spans[i].parent] += size[i];
    }
    uint32_t *depth = size; /* of i: size[i] is not needed once i has its place */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = thread->spans[i].parent, size_of = size[i];
        depth[i] = parent == SPAN_NONE ? 0 : depth[parent] + 1;
        place[i] = n - 1 - (i - depth[i] + size_of - 1);
        whole->spans[place[i]] = thread->spans[i];
        whole->spans[place[i]].parent = parent == SPAN_NONE ? SPAN_NONE : place[parent];
        whole->depths[place[i]] = depth[i];
    }
    memory_free(size);
    memory_free(place);
}

/* The result is the first span that ends at `time` or before. */
static uint32_t whole_ended(const struct walk_whole *whole, uint32_t count, time_ns time)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (whole->spans[middle].end > time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void clear_stack(struct span_walk *walk, uint64_t tag)
{
    for (uint32_t i = 0; i < WALK_FLOOR; i++)
        walk->stack[i] = (struct walk_open){0, tag, {INT64_MIN, INT64_MAX}};
    walk->top = span_walk_floor(walk);
}

static void need_stack(struct span_walk *walk, size_t calls)
{
    size_t used = (size_t)(walk->top + 1 - walk->stack);
    if (walk->stack_capacity - used >= calls)
        return;
    walk->stack_capacity = 2 * (used + calls);
    walk->stack = memory_resize(walk->stack, sizeof *walk->stack * walk->stack_capacity);
    walk->top = walk->stack + used - 1;
}

static void visit_whole(struct span_walk *walk, const struct walk_whole *whole, uint32_t i,
                        walk_visitor *visit, void *context)
{
    const struct span *span = &whole->spans[i];
    const struct walked_call call = {span->start, span->end,        span->target, span->part,
                                     span->probe, whole->depths[i], false};
    need_stack(walk, 1);
    struct walk_open *open = span_walk_floor(walk) + 1 + call.depth;
    uint64_t tag = visit(context, &call, open - 1, walk->top);
    *open = (struct walk_open){.tag = tag, .room = {span->start, span->end}};
    walk->top = open;
}

void span_walk_whole(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo,
                     time_ns hi, uint64_t tag, walk_visitor *visit, void *context)
{
    struct walk_whole *whole = &walk->whole[thread - walk->run->threads];
    uint32_t open_count = 0;
    clear_stack(walk, tag);
    if (!whole->spans && thread->span_count)
        make_whole(whole, thread);
    uint32_t i = whole_ended(whole, thread->span_count, hi);
    for (uint32_t o = i ? i - 1 : SPAN_NONE; o != SPAN_NONE; o = whole->spans[o].parent)
        if (whole->spans[o].start < hi)
            VEC_PUSH(walk->indices, open_count, walk->index_capacity) = o;
    while (open_count)
        visit_whole(walk, whole, walk->indices[--open_count], visit, context);
    for (; i < thread->span_count && whole->spans[i].end > lo; i++)
        if (whole->spans[i].start < hi)
            visit_whole(walk, whole, i, visit, context);
}

struct page_moment {
    const struct span_pages *pages;
    uint64_t ticks;
};

static bool page_ends_before(const void *moment, size_t page)
{
    const struct page_moment *m = moment;
    return m->pages->pages[page].end_ticks < m->ticks;
}

/* The first page that ends at `ticks` or later, or the last one; most often it is near `latest`. */
static uint32_t page_of(const struct span_pages *pages, uint64_t ticks, uint32_t latest)
{
    const struct page_moment moment = {pages, ticks};
    return (uint32_t)near_search(pages->page_count - 1, latest, page_ends_before, &moment);
}

/* The bytes read of the files no longer count as this process's memory. */
static void forget_files(const struct timelines *run)
{
    const struct trace_reader *last = NULL;
    for (uint32_t t = 0; t < run->thread_count; t++) {
        const struct span_pages *pages = run->threads[t].pages;
        if (pages && pages->reader != last)
            trace_reader_forget(pages->reader);
        last = pages ? pages->reader : last;
    }
}

/* The bytes read of the mapped files count as memory until they are given back. */
static void count_bytes(struct span_walk *walk, uint64_t bytes)
{
    walk->read_bytes += bytes;
    if (walk->read_bytes < FILE_FORGET_BYTES)
        return;
    forget_files(walk->run);
    walk->read_bytes = 0;
}

static void read_page(struct span_walk *walk)
{
    uint32_t room = walk->pages->calls_of_page;
    if (walk->run_capacity < room) {
        walk->run_capacity = room;
        walk->runs = memory_resize(walk->runs, sizeof *walk->runs * room);
    }
    walk->run_count = span_pages_read(walk->pages, walk->page, walk->runs);
    for (uint32_t i = 0; i < walk->run_count; i++)
        count_bytes(walk, (uint64_t)SPAN_RECORD * walk->runs[i].count);
}

/* The result is how many calls more are open at its end. */
static uint32_t read_last_page(struct span_walk *walk)
{
    const struct span_pages *pages = walk->pages;
    uint32_t open = 0;
    read_page(walk);
    for (uint32_t o = pages->pages[walk->page].outer; o != SPAN_NONE; o = pages->outers[o].outer) {
        const char *record = pages->reader->map.data + pages->outers[o].at;
        VEC_PUSH(walk->runs, walk->run_count, walk->run_capacity) = (struct span_run){record, 1};
        open++;
    }
    return open;
}

/* Leaves out the calls that begin at hi or later. False: one of them overlaps one that begins
 * before, and cuts it. */
static bool leave_out_later(struct span_walk *walk)
{
    const uint64_t hi = walk->hi_ticks;
    uint64_t later = UINT64_MAX;
    uint32_t open_count = 0;
    for (; walk->run_count; walk->run_count--) {
        struct span_run *run = &walk->runs[walk->run_count - 1];
        for (; run->count; run->count--) {
            const char *record = run->first + (size_t)(run->count - 1) * SPAN_RECORD;
            struct span_ticks call = span_ticks_at(record);
            if (call.end < hi)
                goto found;
            if (call.start >= hi) {
                later = call.start < later ? call.start : later;
                continue;
            }
            if (later < call.end)
                return false;
            VEC_PUSH(walk->open, open_count, walk->open_capacity) = record;
            later = UINT64_MAX;
        }
    }
found:
    while (open_count)
        VEC_PUSH(walk->runs, walk->run_count, walk->run_capacity) =
            (struct span_run){walk->open[--open_count], 1};
    return true;
}

/* The page before is read next, if it reaches into the stretch. After the last one, it is most
 * often where the next walk over the same thread begins: as many pages on. By then, others will
 * have had their turns. It is fetched while this page is read: all at once, it would keep this one
 * waiting. */
static void find_next(struct span_walk *walk)
{
    const struct span_pages *pages = walk->pages;
    const struct span_page *page = &pages->pages[walk->page];
    walk->more =
        walk->page && clock_map_ns(&pages->clock, pages->base, page[-1].end_ticks) > walk->lo;
    uint32_t next = walk->more ? walk->page - 1 : 2 * walk->begun - walk->page + 1;
    if (next >= pages->page_count)
        next = walk->page;
    struct span_place end = pages->places[pages->pages[next + 1].place - 1];
    walk->ahead = pages->reader->map.data + end.at + (size_t)end.calls * SPAN_RECORD;
}

bool span_walk_begin(struct span_walk *walk, const struct timeline_thread *thread, time_ns lo,
                     time_ns hi, uint64_t tag)
{
    uint32_t *latest = &walk->latest[thread - walk->run->threads];
    walk->pages = thread->pages;
    clear_stack(walk, tag);
    if (!walk->pages->page_count)
        return false;
    walk->lo = lo;
    walk->hi_ticks = clock_map_ticks(&walk->pages->clock, walk->pages->base, hi);
    walk->begun = walk->page = *latest = page_of(walk->pages, walk->hi_ticks, *latest);
    need_stack(walk, read_last_page(walk) + walk->pages->calls_of_page);
    if (!leave_out_later(walk))
        read_last_page(walk);
    find_next(walk);
    return true;
}

/* The walk goes to the page before, if it reaches into the stretch. */
bool span_walk_back(struct span_walk *walk)
{
    if (!walk->more)
        return false;
    walk->page--;
    need_stack(walk, walk->pages->calls_of_page);
    read_page(walk);
    find_next(walk);
    return true;
}
