#include "trace/hold.h"

#include "base/memory.h"

/* So many takings of one object by one thread are remembered; of more, the latest stands for all.
 * Whoever takes units of a semaphore, and never gives one back, would need ever more. */
enum { DEEPEST = 64 };

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

/* The holder has had it from when he took it, within the block, to the end of `part`. */
static void set_holder(struct block *part, const struct timelines *run, const struct block *whole,
                       uint32_t hold)
{
    const struct hold *holder = &run->holds[hold - 1];
    part->hold = hold;
    part->start = clamp(holder->since, whole->start, part->end);
    part->waker = holder->thread;
    part->waker_site = holder->site;
    part->waker_stack = holder->stack;
    part->waker_time = clamp(holder->until, part->start, part->end);
}

struct block block_last_part(const struct timelines *run, const struct block *whole)
{
    struct block part = *whole;
    if (whole->hold != HOLD_NONE)
        set_holder(&part, run, whole, whole->hold);
    return part;
}

bool block_part_before(const struct timelines *run, const struct block *whole, struct block *part)
{
    if (part->hold == HOLD_NONE || part->start <= whole->start)
        return false;
    uint32_t before = run->holds[part->hold - 1].before;
    part->end = part->start;
    if (before != HOLD_NONE && run->holds[before - 1].until >= whole->start) {
        set_holder(part, run, whole, before);
        return true;
    }
    part->hold = HOLD_NONE;
    part->start = whole->start;
    part->waker = THREAD_NONE;
    part->waker_site = 0;
    part->waker_stack = 0;
    part->waker_time = part->end;
    return true;
}

static void begin_thread(struct hold_takings *takings, uint32_t thread)
{
    if (takings->thread == thread)
        return;
    hash_map_release(&takings->open);
    takings->latest = NULL;
    takings->count = 0;
    takings->thread = thread;
}

/* The takings of one object often come one after the other. */
static uint64_t *latest_of(struct hold_takings *takings, uint64_t key, bool add)
{
    if (takings->latest && takings->key == key)
        return takings->latest;
    takings->key = key;
    return takings->latest = add              ? hash_map_put(&takings->open, key)
                             : takings->count ? hash_map_get(&takings->open, key)
                                              : NULL;
}

void hold_takings_add(struct hold_takings *takings, uint32_t thread, uint64_t key, time_ns time)
{
    begin_thread(takings, thread);
    uint64_t *latest = latest_of(takings, key, true);
    uint32_t depth = *latest ? takings->items[*latest - 1].depth + 1 : 1;
    if (depth > DEEPEST) {
        takings->items[*latest - 1].time = time;
        return;
    }
    struct hold_taking taking = {time, (uint32_t)*latest, depth};
    VEC_PUSH(takings->items, takings->count, takings->capacity) = taking;
    *latest = takings->count;
}

time_ns hold_takings_end(struct hold_takings *takings, uint32_t thread, uint64_t key)
{
    begin_thread(takings, thread);
    uint64_t *latest = latest_of(takings, key, false);
    if (!latest || !*latest)
        return HOLD_UNKNOWN;
    const struct hold_taking *taking = &takings->items[*latest - 1];
    time_ns time = taking->time;
    if (*latest == takings->count)
        takings->count--;
    *latest = taking->before;
    return time;
}

void hold_takings_release(struct hold_takings *takings)
{
    memory_free(takings->items);
    hash_map_release(&takings->open);
    *takings = (struct hold_takings){0};
}
