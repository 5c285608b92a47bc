#include "trace/span_view.h"

#include "base/memory.h"

/* The calls of a few dozen threads' latest pages stay in a second-level cache. */
enum { CACHED_CALLS = 1 << 16, MOST_CACHED_CALLS = 1 << 19, MOST_CALLS = 256, LEAST_CALLS = 64 };
#define MAPPED_BYTES (UINT64_C(64) << 20)

/* So that two pages of each thread fit. */
static uint32_t cache_slots(const struct timelines *run)
{
    uint64_t calls = 2 * (uint64_t)run->thread_count * run->page_calls;
    calls = calls < CACHED_CALLS ? CACHED_CALLS : calls;
    uint64_t slots = (calls < MOST_CACHED_CALLS ? calls : MOST_CACHED_CALLS) / run->page_calls;
    return slots < run->page_count ? (uint32_t)slots : run->page_count;
}

uint32_t span_cache_page_calls(uint32_t threads)
{
    uint32_t calls = CACHED_CALLS / 2 / (threads ? threads : 1);
    return calls > MOST_CALLS ? MOST_CALLS : calls < LEAST_CALLS ? LEAST_CALLS : calls;
}

void span_cache_init(struct span_cache *cache, const struct timelines *run)
{
    *cache = (struct span_cache){.run = run};
    cache->whole = memory_zeroed(sizeof *cache->whole * run->thread_count);
    if (!run->page_count)
        return;
    cache->slot_count = cache_slots(run);
    cache->slots = memory_zeroed(sizeof *cache->slots * cache->slot_count);
    cache->slot_of = memory_zeroed(sizeof *cache->slot_of * run->page_count);
}

void span_cache_release(struct span_cache *cache)
{
    for (uint32_t i = 0; i < cache->slot_count; i++)
        span_page_calls_release(&cache->slots[i].calls);
    for (uint32_t t = 0; t < cache->run->thread_count; t++)
        span_page_calls_release(&cache->whole[t]);
    memory_free(cache->slots);
    memory_free(cache->slot_of);
    memory_free(cache->whole);
    span_pages_scratch_release(&cache->scratch);
    *cache = (struct span_cache){0};
}

/* One that was not used since the hand came by. */
static struct span_slot *cache_free_slot(struct span_cache *cache)
{
    if (cache->filled < cache->slot_count)
        return &cache->slots[cache->filled++];
    for (;;) {
        struct span_slot *slot = &cache->slots[cache->hand];
        cache->hand = (cache->hand + 1) % cache->slot_count;
        if (!slot->used) {
            cache->slot_of[slot->page] = 0;
            return slot;
        }
        slot->used = false;
    }
}

/* What was read of the mapped files counts as memory until it is given back. */
static void cache_count_bytes(struct span_cache *cache, uint64_t bytes)
{
    cache->read_bytes += bytes;
    if (cache->read_bytes < MAPPED_BYTES)
        return;
    timelines_forget_files(cache->run);
    cache->read_bytes = 0;
}

static const struct span_page_calls *cache_page(struct span_cache *cache,
                                                const struct span_pages *pages, uint32_t page)
{
    uint32_t *slot_of = &cache->slot_of[pages->number + page];
    if (*slot_of) {
        cache->slots[*slot_of - 1].used = true;
        return &cache->slots[*slot_of - 1].calls;
    }
    struct span_slot *slot = cache_free_slot(cache);
    span_pages_read(pages, page, &cache->scratch, &slot->calls);
    slot->page = pages->number + page;
    slot->used = true;
    *slot_of = (uint32_t)(slot - cache->slots) + 1;
    cache_count_bytes(cache, sizeof(struct trace_function) * pages->pages[page].calls);
    return &slot->calls;
}

/* From parents first, left to right, to the latest end first. */
static const struct span_page_calls *cache_whole(struct span_cache *cache,
                                                 const struct timeline_thread *thread)
{
    struct span_page_calls *whole = &cache->whole[thread - cache->run->threads];
    uint32_t n = thread->span_count;
    if (whole->count == n)
        return whole;
    uint32_t *size = memory_zeroed(sizeof *size * n), *place = memory_alloc(sizeof *place * n);
    whole->spans = memory_alloc(sizeof *whole->spans * n);
    whole->count = whole->capacity = n;
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
    }
    memory_free(size);
    memory_free(place);
    return whole;
}

static void view_show(struct span_view *view, const struct span_page_calls *calls)
{
    view->spans = calls->spans;
    view->count = calls->count;
    view->crossing = calls->crossing;
    view->crossing_count = calls->crossing_count;
}

static void view_show_page(struct span_view *view, uint32_t page)
{
    view->page = page;
    view->begin = page ? view->pages->pages[page - 1].end : INT64_MIN;
    view_show(view, cache_page(view->cache, view->pages, page));
}

/* The first page that ends at `time` or later, or the last one. */
static uint32_t page_before(const struct span_pages *pages, time_ns time)
{
    uint32_t low = 0, high = pages->page_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pages->pages[middle].end < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void span_view_seek(struct span_view *view, struct span_cache *cache,
                    const struct timeline_thread *thread, time_ns time)
{
    *view = (struct span_view){.cache = cache, .pages = thread->pages, .begin = INT64_MIN};
    if (!view->pages)
        view_show(view, cache_whole(cache, thread));
    else if (view->pages->page_count)
        view_show_page(view, page_before(view->pages, time));
}

bool span_view_back(struct span_view *view)
{
    if (!view->pages || view->page == 0)
        return false;
    view_show_page(view, view->page - 1);
    return true;
}

uint32_t span_view_ended(const struct span_view *view, time_ns time)
{
    uint32_t low = 0, high = view->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->spans[middle].end > time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of those that end after `time` the one that ends first, or one around it. */
uint32_t span_view_innermost(const struct span_view *view, time_ns time)
{
    uint32_t ended = span_view_ended(view, time);
    uint32_t i = ended ? ended - 1 : SPAN_NONE;
    while (i != SPAN_NONE && view->spans[i].start > time)
        i = view->spans[i].parent;
    return i;
}
