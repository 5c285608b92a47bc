#include "waits/thread_life.h"

#include <stdlib.h>

#include "base/memory.h"

static void add(struct thread_life *life, time_ns window[2], struct thread_stretch stretch)
{
    stretch.from = stretch.from < window[0] ? window[0] : stretch.from;
    stretch.until = stretch.until > window[1] ? window[1] : stretch.until;
    if (stretch.from < stretch.until)
        VEC_PUSH(life->items, life->count, life->capacity) = stretch;
}

static void add_uses(struct thread_life *life, const struct processor *processor, uint32_t task,
                     time_ns window[2])
{
    int64_t use = processor_use_at(processor, window[0]);
    for (use = use < 0 ? 0 : use; use < (int64_t)processor->count; use++) {
        time_ns from = processor->uses[use].start, until = processor->until;
        if (from >= window[1])
            return;
        if (use + 1 < (int64_t)processor->count)
            until = processor->uses[use + 1].start;
        if (processor->uses[use].task == task)
            add(life, window, (struct thread_stretch){from, until, THREAD_RUNS, 0});
    }
}

static void add_off(struct thread_life *life, const struct vertex_table *vertices,
                    const struct off_cpu *off, time_ns window[2])
{
    add(life, window,
        (struct thread_stretch){off->out, off->woken, THREAD_BLOCKED,
                                vertex_of_off(vertices, off)});
    add(life, window, (struct thread_stretch){off->woken, off->in, THREAD_WANTS, 0});
}

static int by_time(const void *a, const void *b)
{
    const struct thread_stretch *p = a, *q = b;
    return p->from < q->from ? -1 : p->from > q->from;
}

void thread_life_find(struct thread_life *life, const struct vertex_table *vertices,
                      uint32_t vertex, time_ns from, time_ns until)
{
    const struct kernel_side *side = vertices->side;
    time_ns window[2] = {from, until};
    *life = (struct thread_life){0};
    if (vertex_kind_of(vertices, vertex) != VERTEX_THREAD || vertex == TASK_IDLE)
        return;
    const struct kernel_task *task = &side->tasks[vertex];
    for (uint32_t p = 0; p < side->processor_count; p++)
        add_uses(life, &side->processors[p], vertex, window);
    for (uint32_t i = kernel_task_off_behind(task, from);
         i < task->off_count && task->offs[i].out < until; i++)
        add_off(life, vertices, &task->offs[i], window);
    if (task->open.in > task->open.out)
        add_off(life, vertices, &task->open, window);
    if (life->count)
        qsort(life->items, life->count, sizeof *life->items, by_time);
}

void thread_life_release(struct thread_life *life)
{
    memory_free(life->items);
    *life = (struct thread_life){0};
}
