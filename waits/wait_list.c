#include "waits/wait_list.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/moment_heap.h"

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

/* Of all threads, which of their waits begins next. */
struct gathering {
    const struct vertex_table *vertices;
    struct moment_heap heap;
    const struct off_cpu **next; /* by task */
    uint32_t *taken;             /* by task: of its offs; the last one is what is open */
};

static bool is_wait(const struct kernel_task *task, const struct off_cpu *off)
{
    return off->woken > off->out && (off != &task->open || off->woken < off->in);
}

/* NULL: the task has no more. */
static const struct off_cpu *next_wait(struct gathering *g, uint32_t t)
{
    const struct kernel_task *task = &g->vertices->side->tasks[t];
    while (g->taken[t] <= task->off_count) {
        uint32_t i = g->taken[t]++;
        const struct off_cpu *off = i < task->off_count ? &task->offs[i] : &task->open;
        if (is_wait(task, off))
            return off;
    }
    return NULL;
}

static void begin_gathering(struct gathering *g, const struct vertex_table *vertices)
{
    uint32_t count = vertices->side->task_count;
    *g = (struct gathering){.vertices = vertices,
                            .next = memory_zeroed((count + 1) * sizeof *g->next),
                            .taken = memory_zeroed((count + 1) * sizeof *g->taken)};
    for (uint32_t t = 1; t < count; t++) {
        g->next[t] = next_wait(g, t);
        if (g->next[t])
            moment_heap_add(&g->heap, (struct heap_moment){g->next[t]->out, t});
    }
}

static void gather(struct wait_list *waits, const struct vertex_table *vertices)
{
    struct gathering g;
    size_t capacity = 0;
    begin_gathering(&g, vertices);
    while (g.heap.count) {
        uint32_t t = g.heap.items[0].who;
        const struct off_cpu *off = g.next[t];
        VEC_PUSH(waits->items, waits->count, capacity) =
            (struct wait){off->out, off->woken, t, vertex_of_off(vertices, off)};
        g.next[t] = next_wait(&g, t);
        if (g.next[t])
            moment_heap_next(&g.heap, g.next[t]->out);
        else
            moment_heap_drop(&g.heap);
    }
    moment_heap_release(&g.heap);
    memory_free(g.next);
    memory_free(g.taken);
}

void wait_list_fill(struct wait_list *waits, const struct vertex_table *vertices)
{
    const struct kernel_side *side = vertices->side;
    *waits = (struct wait_list){0};
    waits->unfinished = memory_zeroed((vertices->count + 1) * sizeof *waits->unfinished);
    for (uint32_t t = 1; t < side->task_count; t++)
        if (side->tasks[t].open.woken == side->tasks[t].open.in)
            waits->unfinished[t] = side->tasks[t].open.in - side->tasks[t].open.out;
    gather(waits, vertices);
    find_bounds(waits, vertices);
    waits->recorded = kernel_side_recorded(side, waits->from, waits->until);
}

/* ---- order ---- */

static int by_beginning(const void *a, const void *b)
{
    const struct wait *p = a, *q = b;
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    return p->who < q->who ? -1 : p->who > q->who;
}

static void sort(struct wait_list *waits)
{
    if (waits->count)
        qsort(waits->items, waits->count, sizeof *waits->items, by_beginning);
}

/* Whether there were any. */
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

void wait_list_order(struct wait_list *waits, uint32_t vertex_count)
{
    sort(waits);
    if (part_overlaps(waits, vertex_count))
        sort(waits);
}

void wait_list_release(struct wait_list *waits)
{
    memory_free(waits->items);
    memory_free(waits->unfinished);
    *waits = (struct wait_list){0};
}
