#include "causal/moments.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/near_search.h"
#include "causal/causal_interval.h"

struct gather {
    struct moments *to;
    const struct timelines *run;
    time_ns from, until;
};

static bool is_in(const struct gather *g, time_ns time)
{
    return time >= g->from && time <= g->until;
}

static void add(struct gather *g, time_ns time, uint32_t thread, enum moment_kind kind,
                uint32_t number)
{
    struct moments *to = g->to;
    uint32_t place = (uint32_t)to->count;
    if (is_in(g, time))
        VEC_PUSH(to->items, to->count, to->capacity) =
            (struct moment){time, thread, number, kind, place};
}

/* Who gives it before the window gives it when it was given. */
static uint32_t promise(struct gather *g, time_ns time, uint32_t thread)
{
    struct moments *to = g->to;
    VEC_PUSH(to->promises, to->promise_count, to->promise_capacity) = time;
    add(g, time, thread, MOMENT_PROMISE, (uint32_t)to->promise_count - 1);
    return (uint32_t)to->promise_count - 1;
}

/* ---- the target, and work that is done ---- */

static bool is_spent_before(const void *items, size_t i)
{
    const struct gather *g = items;
    return g->run->experiments->spent[i].time < g->from;
}

static void add_spent(struct gather *g)
{
    const struct experiments *all = g->run->experiments;
    uint32_t i = (uint32_t)near_search(all->spent_count, 0, is_spent_before, g);
    for (; i < all->spent_count && all->spent[i].time <= g->until; i++) {
        const struct target_time *spent = &all->spent[i];
        *(spent->apart ? &g->to->unknown_ns : &g->to->spent_ns) += spent->spent_ns;
        if (!spent->apart)
            add(g, spent->time, spent->thread, MOMENT_SPENT, i);
    }
}

static void add_visits(struct gather *g)
{
    const struct experiments *all = g->run->experiments;
    for (uint32_t i = 0; i < all->visit_count; i++)
        add(g, all->visits[i].time, all->visits[i].thread, MOMENT_VISIT, i);
}

/* ---- intervals ---- */

static void add_intervals(struct gather *g, time_ns longest)
{
    struct moments *to = g->to;
    to->first = causal_interval_from(g->run, g->from - longest);
    to->until = causal_interval_from(g->run, g->until);
    for (uint32_t i = to->first; i < to->until; i++) {
        const struct interval *one = &g->run->intervals[i];
        promise(g, one->begin, one->begin_thread);
        if (one->complete)
            add(g, one->end, one->end_thread, MOMENT_END, i - to->first);
    }
}

/* None works for an interval before that has begun. */
static void add_labels(struct gather *g, uint32_t index)
{
    const struct timeline_thread *thread = &g->run->threads[index];
    int64_t before = timeline_label_at(thread, g->from - 1);
    for (uint32_t i = (uint32_t)(before + 1);
         i < thread->label_count && thread->labels[i].time <= g->until; i++) {
        uint32_t interval = thread->labels[i].interval;
        if (interval != INTERVAL_NONE && interval >= g->to->first && interval < g->to->until &&
            thread->labels[i].time >= g->run->intervals[interval].begin)
            add(g, thread->labels[i].time, index, MOMENT_TAKE, interval - g->to->first);
    }
}

static void add_pickups(struct gather *g, uint32_t index)
{
    const struct timeline_thread *thread = &g->run->threads[index];
    for (uint32_t i = 0; i < thread->pickup_count; i++) {
        const struct pickup *pickup = &thread->pickups[i];
        if (pickup->creator == THREAD_NONE || !is_in(g, pickup->time))
            continue;
        bool born = i == 0 && pickup->time <= thread->first;
        add(g, pickup->time, index, born ? MOMENT_BORN : MOMENT_TAKE,
            promise(g, pickup->creation_time, pickup->creator));
    }
}

/* ---- waits ---- */

static bool meets(const struct block *block)
{
    return block->operation == TRACE_OP_BARRIER && block->waker != THREAD_NONE;
}

static void add_wait(struct gather *g, uint32_t thread, const struct block *block)
{
    struct moments *to = g->to;
    VEC_PUSH(to->waits, to->wait_count, to->wait_capacity) =
        (struct moment_wait){block, thread, PROMISE_NONE, PROMISE_NONE};
}

static void add_unknown(struct gather *g, const struct block *block)
{
    time_ns start = block->start > g->from ? block->start : g->from;
    if (block->waker == THREAD_NONE && !block->gave_up)
        g->to->unknown_ns += block->end - start;
}

static void find_waits(struct gather *g, uint32_t index, bool of_rounds)
{
    const struct timeline_thread *thread = &g->run->threads[index];
    int64_t before = timeline_block_before(thread, g->from);
    for (uint32_t i = before < 0 ? 0 : (uint32_t)before;
         i < thread->block_count && thread->blocks[i].start <= g->until; i++)
        if (is_in(g, thread->blocks[i].end) && meets(&thread->blocks[i]) == of_rounds)
            add_wait(g, index, &thread->blocks[i]);
}

static int by_round(const void *a, const void *b)
{
    const struct block *p = ((const struct moment_wait *)a)->block,
                       *q = ((const struct moment_wait *)b)->block;
    if (p->waker_time != q->waker_time)
        return p->waker_time < q->waker_time ? -1 : 1;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    return (p->waker > q->waker) - (p->waker < q->waker);
}

static void number_rounds(struct gather *g)
{
    struct moments *to = g->to;
    if (to->wait_count)
        qsort(to->waits, to->wait_count, sizeof *to->waits, by_round);
    for (uint32_t i = 0; i < to->wait_count; i++) {
        struct moment_wait *wait = &to->waits[i];
        if (i == 0 || by_round(wait - 1, wait) != 0) {
            VEC_PUSH(to->rounds, to->round_count, to->round_capacity) = i;
            add(g, wait->block->waker_time, wait->block->waker, MOMENT_MEET,
                (uint32_t)to->round_count - 1);
        }
        wait->round = (uint32_t)to->round_count - 1;
    }
    VEC_PUSH(to->rounds, to->round_count, to->round_capacity) = (uint32_t)to->wait_count;
    to->round_count--;
}

static void add_waits(struct gather *g)
{
    struct moments *to = g->to;
    for (uint32_t t = 0; t < g->run->thread_count; t++)
        find_waits(g, t, true);
    number_rounds(g);
    for (uint32_t t = 0; t < g->run->thread_count; t++)
        find_waits(g, t, false);
    for (uint32_t i = 0; i < to->wait_count; i++) {
        struct moment_wait *wait = &to->waits[i];
        if (wait->round == PROMISE_NONE && wait->block->waker != THREAD_NONE)
            wait->promise = promise(g, wait->block->waker_time, wait->block->waker);
        add(g, wait->block->end, wait->thread, MOMENT_WOKEN, i);
        add_unknown(g, wait->block);
    }
}

/* ---- all of them ---- */

static int in_order(const void *a, const void *b)
{
    const struct moment *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

void moments_gather(struct moments *moments, const struct timelines *run, time_ns from,
                    time_ns until, time_ns longest)
{
    struct gather g = {moments, run, from, until};
    moments->spent_ns = moments->unknown_ns = 0;
    moments->count = moments->promise_count = moments->wait_count = moments->round_count = 0;
    add_intervals(&g, longest);
    add_spent(&g);
    add_visits(&g);
    add_waits(&g);
    for (uint32_t t = 0; t < run->thread_count; t++) {
        add_labels(&g, t);
        add_pickups(&g, t);
    }
    if (moments->count)
        qsort(moments->items, moments->count, sizeof *moments->items, in_order);
}

void moments_release(struct moments *moments)
{
    memory_free(moments->items);
    memory_free(moments->promises);
    memory_free(moments->waits);
    memory_free(moments->rounds);
    *moments = (struct moments){0};
}
