#include "stacks/request_pair.h"

#include "base/hash_map.h"
#include "base/memory.h"

/* The outermost call of a thread, and those that began at the same stack pointer while it seemed to be
 * open: either they follow it because it called itself last, and then all return at once, one after the
 * other; or a jump has left it. */
struct call_thread {
    uint64_t stack;
    time_ns *begins; /* the earliest first; none: it is in no call */
    size_t count, capacity;
    size_t returned; /* of the last of them: have returned, with nothing else in between ... */
    time_ns ended;   /* ... the latest then */
    bool entered;    /* it was seen to enter the function before */
};

struct pairing {
    struct found_requests *list;
    bool again; /* a call may come to its entry several times */
    struct call_thread *threads;
    size_t count, capacity;
    struct hash_map of; /* thread -> index + 1 */
};

static struct call_thread *thread_of(struct pairing *p, uint32_t thread)
{
    uint64_t *known = hash_map_put(&p->of, thread);
    if (!*known) {
        VEC_PUSH(p->threads, p->count, p->capacity) = (struct call_thread){0};
        *known = p->count;
    }
    return &p->threads[*known - 1];
}

static void emit(struct pairing *p, uint32_t thread, time_ns begin, time_ns end,
                 enum request_fate fate)
{
    struct request_hit hit = {.time = begin, .thread = thread};
    uint32_t request = found_requests_begin(p->list, &hit, p->list->count + 1);
    found_requests_end(p->list, request, end, thread, fate);
    found_requests_work(p->list, request, thread, begin, end);
}

/* Those that have not returned by `time` are over, in this way. */
static void give_up(struct pairing *p, uint32_t thread, struct call_thread *calls, time_ns time,
                    enum request_fate fate)
{
    size_t left = calls->count - calls->returned;
    for (size_t i = 0; i < left; i++)
        emit(p, thread, calls->begins[i], i + 1 < calls->count ? calls->begins[i + 1] : time,
             i + 1 < calls->count ? REQUEST_LEFT : fate);
    if (calls->returned)
        emit(p, thread, calls->begins[left], calls->ended, REQUEST_COMPLETE);
    calls->count = calls->returned = 0;
}

static void enter(struct pairing *p, struct call_thread *calls, const struct request_hit *hit)
{
    calls->entered = true;
    if (p->again && calls->count && hit->second == calls->stack)
        return;
    if (calls->returned || (calls->count && hit->second > calls->stack))
        give_up(p, hit->thread, calls, hit->time, REQUEST_LEFT);
    if (calls->count && hit->second < calls->stack)
        return; /* within the outermost one */
    calls->stack = hit->second;
    VEC_PUSH(calls->begins, calls->count, calls->capacity) = hit->time;
}

static void leave(struct pairing *p, struct call_thread *calls, const struct request_hit *hit)
{
    if (!calls->count) {
        p->list->unbegun += !calls->entered;
        calls->entered = true;
        return;
    }
    if (hit->second == calls->stack) {
        calls->ended = hit->time;
        calls->returned++;
    }
    if (calls->returned == calls->count || hit->second != calls->stack) {
        bool within = hit->second < calls->stack;
        if (!within || calls->returned)
            give_up(p, hit->thread, calls, hit->time, REQUEST_LEFT);
    }
}

void request_pairs_find(struct found_requests *list, const struct request_hits *hits)
{
    struct pairing p = {.list = list, .again = hits->by_value};
    for (size_t i = 0; i < hits->count; i++) {
        const struct request_hit *hit = &hits->items[i];
        struct call_thread *calls = thread_of(&p, hit->thread);
        if (hit->role == TRACE_POINT_ENTER)
            enter(&p, calls, hit);
        else
            leave(&p, calls, hit);
    }
    for (size_t i = 0; i < p.of.capacity; i++)
        if (p.of.entries[i].used)
            give_up(&p, (uint32_t)p.of.entries[i].key, &p.threads[p.of.entries[i].value - 1],
                    hits->until, REQUEST_CUT);
    for (size_t i = 0; i < p.count; i++)
        memory_free(p.threads[i].begins);
    memory_free(p.threads);
    hash_map_release(&p.of);
}
