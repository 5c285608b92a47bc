#include "waits/spin_waits.h"

#include <string.h>

#include "base/memory.h"

struct spinning {
    struct wait *items;
    size_t count, capacity;
    const struct vertex_table *vertices;
    const struct timelines *run;
    uint32_t *task_of; /* by thread; TASK_NONE: the kernel told of none */
};

static void add_piece(struct spinning *s, struct wait wait, time_ns begin, time_ns end)
{
    if (end <= begin)
        return;
    wait.begin = begin;
    wait.end = end;
    VEC_PUSH(s->items, s->count, s->capacity) = wait;
}

/* Between the times in which the thread had no processor. Where its last return to one was lost, it is off until the
 * recording ends, whatever its own record says. */
static void add_spin(struct spinning *s, const struct kernel_task *task, const struct block *block,
                     struct wait wait)
{
    time_ns at = block->start;
    for (uint32_t i = 0; i <= task->off_count; i++) {
        const struct off_cpu *off = i < task->off_count ? &task->offs[i] : &task->open;
        if (off->out >= block->end)
            break;
        if (off->in <= at)
            continue;
        add_piece(s, wait, at, off->out);
        at = off->in;
    }
    add_piece(s, wait, at, block->end);
}

static uint32_t holder_of(const struct spinning *s, const struct block *block)
{
    uint32_t task =
        block->waker == THREAD_NONE || block->gave_up ? TASK_NONE : s->task_of[block->waker];
    return task == TASK_NONE ? vertex_of_kind(s->vertices, VERTEX_UNKNOWN) : task;
}

static void index_tasks(struct spinning *s)
{
    s->task_of = memory_alloc((s->run->thread_count + 1) * sizeof *s->task_of);
    for (uint32_t t = 0; t < s->run->thread_count; t++)
        s->task_of[t] = TASK_NONE;
    for (uint32_t t = 1; t < s->vertices->side->task_count; t++)
        if (s->vertices->side->tasks[t].thread != THREAD_NONE)
            s->task_of[s->vertices->side->tasks[t].thread] = t;
}

static void merge_into(struct wait_list *waits, const struct spinning *s)
{
    waits->items = memory_resize(waits->items, (waits->count + s->count) * sizeof *waits->items);
    memcpy(waits->items + waits->count, s->items, s->count * sizeof *s->items);
    waits->count += s->count;
    wait_list_order(waits, s->vertices->count);
}

static void gather(struct spinning *s, uint32_t thread)
{
    const struct timeline_thread *spins = &s->run->threads[thread];
    uint32_t task = s->task_of[thread];
    for (uint32_t b = 0; task != TASK_NONE && b < spins->block_count; b++) {
        const struct block *block = &spins->blocks[b];
        if (block->operation == TRACE_OP_SPIN)
            add_spin(s, &s->vertices->side->tasks[task], block,
                     (struct wait){.who = task, .whom = holder_of(s, block)});
    }
}

void spin_waits_add(struct wait_list *waits, const struct vertex_table *vertices,
                    const struct timelines *run)
{
    struct spinning s = {.vertices = vertices, .run = run};
    index_tasks(&s);
    for (uint32_t t = 0; t < run->thread_count; t++)
        gather(&s, t);
    for (size_t i = 0; i < s.count; i++)
        waits->spun += s.items[i].end - s.items[i].begin;
    if (s.count)
        merge_into(waits, &s);
    memory_free(s.items);
    memory_free(s.task_of);
}
