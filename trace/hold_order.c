#include "trace/hold_order.h"

#include <string.h>

#include "base/memory.h"
#include "trace/hold.h"

static bool is_same(const struct waker_release *a, const struct waker_release *b)
{
    return (a->key | WAKER_KEY_READ) == (b->key | WAKER_KEY_READ);
}

static bool is_any_known(const struct waker_release *releases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (releases[i].since != HOLD_UNKNOWN)
            return true;
    return false;
}

static void add(struct hold_order *order, const struct waker_release *releases, size_t i)
{
    VEC_PUSH(order->holds, order->count, order->capacity) =
        (struct hold){.since = releases[i].since,
                      .until = releases[i].time,
                      .thread = releases[i].thread,
                      .site = releases[i].site,
                      .stack = releases[i].stack};
    order->of_release[i] = (uint32_t)order->count;
}

/* The releases [from, until) are added in order of time. Those of who read stand behind those of
 * who wrote. */
static void add_object(struct hold_order *order, const struct waker_release *releases, size_t from,
                       size_t until)
{
    size_t middle = from;
    while (middle < until && releases[middle].key == releases[from].key)
        middle++;
    for (size_t a = from, b = middle; a < middle || b < until;)
        if (b == until || (a < middle && releases[a].time <= releases[b].time))
            add(order, releases, a++);
        else
            add(order, releases, b++);
}

/* Each hold of an object gets the latest one before it that began earlier. A hold that is passed
 * over is never looked at again, since its successor began earlier still: so the loop is linear. */
static void link_object(struct hold *holds, size_t from, size_t until)
{
    for (size_t i = from; i < until; i++) {
        uint32_t before = i > from ? (uint32_t)i : HOLD_NONE; /* 1 + the one just before */
        while (before != HOLD_NONE && holds[before - 1].since >= holds[i].since)
            before = holds[before - 1].before;
        holds[i].before = before;
    }
}

static void build_object(struct hold_order *order, const struct waker_release *releases,
                         size_t count, size_t from, size_t until)
{
    size_t first = order->count;
    if (!hold_is_of(releases[from].operation) || !is_any_known(releases + from, until - from))
        return;
    if (!order->of_release)
        order->of_release = memory_zeroed(sizeof *order->of_release * count);
    add_object(order, releases, from, until);
    link_object(order->holds, first, order->count);
}

void hold_order_build(struct hold_order *order, const struct waker_release *releases, size_t count)
{
    *order = (struct hold_order){0};
    for (size_t from = 0, until; from < count; from = until) {
        for (until = from + 1; until < count && is_same(&releases[from], &releases[until]);)
            until++;
        build_object(order, releases, count, from, until);
    }
}

uint32_t hold_order_of(const struct hold_order *order, size_t release)
{
    return order->of_release ? order->of_release[release] : HOLD_NONE;
}

void hold_order_finish(struct hold_order *order, struct timelines *run, struct arena *arena)
{
    if (order->count) {
        run->holds = ARENA_ARRAY(arena, struct hold, order->count);
        memcpy(run->holds, order->holds, sizeof *run->holds * order->count);
    }
    run->hold_count = (uint32_t)order->count;
    memory_free(order->holds);
    memory_free(order->of_release);
}
