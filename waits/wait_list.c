#include "waits/wait_list.h"

#include <stdlib.h>

#include "base/memory.h"

static int by_beginning(const void *a, const void *b)
{
    const struct wait *p = a, *q = b;
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    return p->who < q->who ? -1 : p->who > q->who;
}

static void widen(struct wait_list *waits, time_ns from, time_ns until)
{
    waits->from = from < waits->from ? from : waits->from;
    waits->until = until > waits->until ? until : waits->until;
}

/* A thread has its processor until another one gets it. */
static void widen_to_uses(struct wait_list *waits, const struct vertex_table *vertices,
                          const struct processor *processor)
{
    for (uint32_t i = 0; i < processor->count; i++) {
        const struct processor_use *use = &processor->uses[i];
        bool last = i + 1 == processor->count;
        if (use->task != TASK_NONE && vertex_is_of_run(vertices, use->task))
            widen(waits, use->start, last ? processor->until : use[1].start);
    }
}

/* The run goes from when one of its threads is first seen until one is last. */
static void find_bounds(struct wait_list *waits, const struct vertex_table *vertices)
{
    const struct kernel_side *side = vertices->side;
    waits->from = INT64_MAX;
    waits->until = INT64_MIN;
    for (uint32_t p = 0; p < side->processor_count; p++)
        widen_to_uses(waits, vertices, &side->processors[p]);
    for (size_t i = 0; i < waits->count; i++)
        if (vertex_is_of_run(vertices, waits->items[i].who))
            widen(waits, waits->items[i].begin, waits->items[i].end);
    if (waits->from > waits->until)
        waits->from = waits->until = 0;
}

static struct wait wait_of(const struct vertex_table *vertices, uint32_t task,
                           const struct off_cpu *off)
{
    return (struct wait){off->out, off->woken, task, vertex_of_off(vertices, off)};
}

static void find_waits_of(struct waits_of_task *waits, const struct vertex_table *vertices,
                          uint32_t t)
{
    const struct kernel_task *task = &vertices->side->tasks[t];
    waits->count = 0;
    for (uint32_t i = 0; i < task->off_count; i++)
        if (task->offs[i].woken > task->offs[i].out)
            VEC_PUSH(waits->items, waits->count, waits->capacity) =
                wait_of(vertices, t, &task->offs[i]);
    if (task->open.woken < task->open.in && task->open.woken > task->open.out)
        VEC_PUSH(waits->items, waits->count, waits->capacity) = wait_of(vertices, t, &task->open);
}

static void add_waits(struct wait_list *waits, const struct vertex_table *vertices,
                      size_t *capacity)
{
    struct waits_of_task of_task = {0};
    user_waits_init(&waits->user, vertices);
    for (uint32_t t = 1; t < vertices->side->task_count; t++) {
        find_waits_of(&of_task, vertices, t);
        user_waits_apply(&waits->user, vertices, t, &of_task);
        for (size_t i = 0; i < of_task.count; i++)
            VEC_PUSH(waits->items, waits->count, *capacity) = of_task.items[i];
    }
    memory_free(of_task.items);
}

static uint32_t merged(const struct vertex_table *vertices, uint32_t vertex)
{
    return vertex < vertices->side->task_count ? vertex_of_task(vertices, vertex) : vertex;
}

/* Threads that live shortly are put together, now that it is known when the run begins and ends. */
static void merge_shorts(struct wait_list *waits, struct vertex_table *vertices, size_t *capacity)
{
    short_lived_find(&waits->shorts, vertices, waits->from, waits->until);
    for (size_t i = 0; i < waits->count; i++) {
        waits->items[i].who = merged(vertices, waits->items[i].who);
        waits->items[i].whom = merged(vertices, waits->items[i].whom);
    }
    for (size_t i = 0; i < waits->shorts.gap_count; i++) {
        const struct short_lived_gap *gap = &waits->shorts.gaps[i];
        VEC_PUSH(waits->items, waits->count, *capacity) =
            (struct wait){gap->from, gap->until, gap->who, gap->whom};
    }
}

static void sort(struct wait_list *waits)
{
    if (waits->count)
        qsort(waits->items, waits->count, sizeof *waits->items, by_beginning);
}

/* A thread waits for one at a time: where a damaged record says otherwise, the one that began first goes on.
 * Whether there were any. */
static bool part_overlaps(struct wait_list *waits, uint32_t vertex_count)
{
    time_ns *until = memory_alloc((vertex_count + 1) * sizeof *until);
    size_t kept = 0;
    bool any = false;
    for (uint32_t v = 0; v < vertex_count; v++)
        until[v] = INT64_MIN;
    for (size_t i = 0; i < waits->count; i++) {
        struct wait wait = waits->items[i];
        any |= wait.begin < until[wait.who];
        wait.begin = wait.begin < until[wait.who] ? until[wait.who] : wait.begin;
        until[wait.who] = wait.end > until[wait.who] ? wait.end : until[wait.who];
        if (wait.begin < wait.end)
            waits->items[kept++] = wait;
    }
    waits->count = kept;
    memory_free(until);
    return any;
}

void wait_list_fill(struct wait_list *waits, struct vertex_table *vertices)
{
    const struct kernel_side *side = vertices->side;
    size_t capacity = 0;
    *waits = (struct wait_list){0};
    vertices->of_task = NULL;
    add_waits(waits, vertices, &capacity);
    find_bounds(waits, vertices);
    waits->recorded = kernel_side_recorded(side, waits->from, waits->until);
    merge_shorts(waits, vertices, &capacity);
    waits->unfinished = memory_zeroed((vertices->count + 1) * sizeof *waits->unfinished);
    for (uint32_t t = 1; t < side->task_count; t++) {
        const struct off_cpu *open = &side->tasks[t].open;
        if (open->woken == open->in)
            waits->unfinished[vertex_of_task(vertices, t)] += open->in - open->out;
    }
    sort(waits);
    if (part_overlaps(waits, vertices->count))
        sort(waits);
}

void wait_list_release(struct wait_list *waits)
{
    memory_free(waits->items);
    memory_free(waits->unfinished);
    short_lived_release(&waits->shorts);
    user_waits_release(&waits->user);
    *waits = (struct wait_list){0};
}
