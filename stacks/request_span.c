#include "stacks/request_span.h"

#include "base/hash_map.h"
#include "base/memory.h"

/* What a thread works for since when. */
struct span_thread {
    uint32_t request;
    time_ns since;
};

/* A request is told by its process and value, or by its thread alone. */
struct span_key {
    uint32_t process;
    uint64_t value;
};

struct open_span {
    struct span_key key;
    uint32_t request; /* REQUEST_NONE: none of it is open */
    uint32_t next;    /* of the same hash: index + 1 */
};

struct spanning {
    struct found_requests *list;
    bool by_value;
    struct open_span *spans;
    size_t count, capacity;
    struct hash_map at; /* hash of a key -> index + 1 of the latest */
    struct span_thread *threads;
    size_t thread_count, thread_capacity;
    struct hash_map of; /* thread -> index + 1 */
};

static struct span_key key_of(const struct spanning *s, const struct request_hit *hit)
{
    return s->by_value ? (struct span_key){hit->process, hit->value}
                       : (struct span_key){0, hit->thread};
}

static struct open_span *span_of(struct spanning *s, struct span_key key)
{
    uint64_t *first = hash_map_put(&s->at, hash_mix(key.value) ^ key.process);
    for (uint64_t i = *first; i; i = s->spans[i - 1].next)
        if (s->spans[i - 1].key.process == key.process && s->spans[i - 1].key.value == key.value)
            return &s->spans[i - 1];
    VEC_PUSH(s->spans, s->count, s->capacity) =
        (struct open_span){key, REQUEST_NONE, (uint32_t)*first};
    *first = s->count;
    return &s->spans[s->count - 1];
}

/* The thread works for that one from here on. */
static void turn_to(struct spanning *s, uint32_t thread, time_ns time, uint32_t request)
{
    uint64_t *known = hash_map_put(&s->of, thread);
    if (!*known) {
        VEC_PUSH(s->threads, s->thread_count, s->thread_capacity) =
            (struct span_thread){REQUEST_NONE, 0};
        *known = s->thread_count;
    }
    struct span_thread *at = &s->threads[*known - 1];
    found_requests_work(s->list, at->request, thread, at->since, time);
    *at = (struct span_thread){request, time};
}

static void take(struct spanning *s, const struct request_hit *hit)
{
    struct open_span *span = span_of(s, key_of(s, hit));
    bool begins = hit->role == TRACE_POINT_BEGIN;
    if (span->request != REQUEST_NONE)
        found_requests_end(s->list, span->request, hit->time, hit->thread,
                           begins ? REQUEST_REPLACED : REQUEST_COMPLETE);
    else
        s->list->unbegun += !begins;
    span->request = REQUEST_NONE;
    if (begins)
        span->request = found_requests_begin(s->list, hit, hit->value);
    turn_to(s, hit->thread, hit->time, span->request);
}

static void finish(struct spanning *s, time_ns until)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->spans[i].request != REQUEST_NONE) {
            const struct request *request = &s->list->items[s->spans[i].request];
            found_requests_end(s->list, s->spans[i].request, until, request->begin_thread,
                               REQUEST_CUT);
        }
    for (size_t i = 0; i < s->of.capacity; i++)
        if (s->of.entries[i].used)
            turn_to(s, (uint32_t)s->of.entries[i].key, until, REQUEST_NONE);
}

void request_spans_find(struct found_requests *list, const struct request_hits *hits)
{
    struct spanning s = {.list = list, .by_value = hits->by_value};
    for (size_t i = 0; i < hits->count; i++)
        take(&s, &hits->items[i]);
    finish(&s, hits->until);
    found_requests_close(list);
    memory_free(s.spans);
    memory_free(s.threads);
    hash_map_release(&s.at);
    hash_map_release(&s.of);
}
