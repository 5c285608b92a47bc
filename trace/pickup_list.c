#include "trace/pickup_list.h"

#include <stdlib.h>

#include "base/memory.h"

void pickup_list_add_task(struct pickup_list *list, struct pickup_event event)
{
    event.rank = event.enqueue ? 0 : 1;
    event.order = list->event_count;
    if (list->event_count > 0) { /* at equal times each thread's events keep their order */
        const struct pickup_event *last = &list->events[list->event_count - 1];
        if (last->thread == event.thread && last->time == event.time && last->rank > event.rank)
            event.rank = last->rank;
    }
    VEC_PUSH(list->events, list->event_count, list->event_capacity) = event;
}

void pickup_list_add_create(struct pickup_list *list, struct pickup_event event)
{
    VEC_PUSH(list->creates, list->create_count, list->create_capacity) = event;
}

void pickup_list_add_start(struct pickup_list *list, struct pickup_event event)
{
    VEC_PUSH(list->starts, list->start_count, list->start_capacity) = event;
}

static int event_compare(const void *a, const void *b)
{
    const struct pickup_event *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* `creation` is NULL where none was found. */
static void pickup_list_found(struct pickup_list *list, const struct pickup_event *pickup,
                              const struct pickup_event *creation)
{
    struct pickup result = {.time = pickup->time,
                            .creator = THREAD_NONE,
                            .creation_time = pickup->time,
                            .site = pickup->site};
    if (creation) {
        result.creator = creation->thread;
        result.creator_site = creation->site;
        result.creator_stack = creation->stack;
        if (creation->time < pickup->time)
            result.creation_time = creation->time;
    }
    VEC_PUSH(list->found, list->found_count, list->found_capacity) =
        (struct pickup_found){pickup->thread, result};
}

/* The two maps lead from a task to its latest ENQUEUE, from which the older ones hang. Those that
 * were taken through the other map are dropped here. */
static struct pickup_event *stack_top(struct pickup_list *list, struct hash_map *stacks,
                                      uint64_t task, bool shared)
{
    uint64_t *top = hash_map_get(stacks, task);
    if (!top)
        return NULL;
    while (*top && list->events[*top - 1].taken) {
        const struct pickup_event *event = &list->events[*top - 1];
        *top = shared ? event->below_shared : event->below_own;
    }
    return *top ? &list->events[*top - 1] : NULL;
}

static void match_tasks(struct pickup_list *list)
{
    struct hash_map own = {0}, shared = {0};
    if (list->event_count)
        qsort(list->events, list->event_count, sizeof *list->events, event_compare);
    for (size_t i = 0; i < list->event_count; i++) {
        struct pickup_event *event = &list->events[i];
        if (event->enqueue) {
            uint64_t *top = hash_map_put(&own, event->own);
            event->below_own = *top;
            *top = i + 1;
            if (event->shared) {
                top = hash_map_put(&shared, event->shared);
                event->below_shared = *top;
                *top = i + 1;
            }
            continue;
        }
        struct pickup_event *creation = stack_top(list, &own, event->own, false);
        if (!creation && event->shared)
            creation = stack_top(list, &shared, event->shared, true);
        if (creation)
            creation->taken = true;
        pickup_list_found(list, event, creation);
    }
    hash_map_release(&own);
    hash_map_release(&shared);
}

static void match_threads(struct pickup_list *list)
{
    struct hash_map creates = {0};
    for (size_t i = 0; i < list->create_count; i++)
        *hash_map_put(&creates, list->creates[i].own) = i + 1;
    for (size_t i = 0; i < list->start_count; i++) {
        const uint64_t *create = hash_map_get(&creates, list->starts[i].own);
        pickup_list_found(list, &list->starts[i], create ? &list->creates[*create - 1] : NULL);
    }
    hash_map_release(&creates);
}

static int found_compare(const void *a, const void *b)
{
    const struct pickup_found *p = a, *q = b;
    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    if (p->pickup.time != q->pickup.time)
        return p->pickup.time < q->pickup.time ? -1 : 1;
    if (p->pickup.creation_time != q->pickup.creation_time)
        return p->pickup.creation_time < q->pickup.creation_time ? -1 : 1;
    return p->pickup.creator < q->pickup.creator ? -1 : p->pickup.creator > q->pickup.creator;
}

void pickup_list_build(struct pickup_list *list, struct timelines *run, struct arena *arena)
{
    match_tasks(list);
    match_threads(list);
    if (list->found_count)
        qsort(list->found, list->found_count, sizeof *list->found, found_compare);
    struct pickup *all = ARENA_ARRAY(arena, struct pickup, list->found_count);
    for (size_t i = 0; i < list->found_count; i++) {
        struct timeline_thread *thread = &run->threads[list->found[i].thread];
        all[i] = list->found[i].pickup;
        if (thread->pickup_count++ == 0)
            thread->pickups = &all[i];
    }
}

void pickup_list_release(struct pickup_list *list)
{
    memory_free(list->events);
    memory_free(list->creates);
    memory_free(list->starts);
    memory_free(list->found);
    *list = (struct pickup_list){0};
}
