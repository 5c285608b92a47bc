#include "stacks/thread_time.h"

#include <stdlib.h>

#include "base/memory.h"

/* A thread had a processor. */
struct use {
    uint32_t task;
    time_ns from, until;
};

struct use_list {
    struct use *items;
    size_t count, capacity;
};

static void gather(struct use_list *uses, const struct kernel_side *side)
{
    for (uint32_t p = 0; p < side->processor_count; p++) {
        const struct processor *processor = &side->processors[p];
        for (uint32_t i = 0; i < processor->count; i++) {
            uint32_t task = processor->uses[i].task;
            time_ns from = processor->uses[i].start;
            time_ns until =
                i + 1 < processor->count ? processor->uses[i + 1].start : processor->until;
            if (task != TASK_NONE && kernel_task_is_of_run(side, task) && until > from)
                VEC_PUSH(uses->items, uses->count, uses->capacity) =
                    (struct use){task, from, until};
        }
    }
}

static int by_task(const void *a, const void *b)
{
    const struct use *p = a, *q = b;
    if (p->task != q->task)
        return p->task < q->task ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void widen(struct thread_time *time, time_ns from, time_ns until)
{
    bool first = time->from == time->until;
    time->from = first || from < time->from ? from : time->from;
    time->until = first || until > time->until ? until : time->until;
}

static void add_off(struct thread_time *time, const struct off_cpu *off)
{
    if (off->in <= off->out)
        return;
    widen(time, off->out, off->in);
    time->off += off->woken - off->out;
    time->queue += off->in - off->woken;
}

static const struct off_cpu *off_at(const struct kernel_task *task, uint32_t i)
{
    return i < task->off_count ? &task->offs[i] : &task->open;
}

/* Clocks of two processors may differ by some ns: what two of them say of one moment counts once, and who
 * was off did not run. */
static time_ns ran_in(const struct kernel_task *task, time_ns from, time_ns until)
{
    time_ns ran = 0;
    for (uint32_t i = kernel_task_off_behind(task, from); i <= task->off_count && from < until;
         i++) {
        const struct off_cpu *off = off_at(task, i);
        if (off->in <= from)
            continue;
        time_ns end = off->out < until ? off->out : until;
        ran += end > from ? end - from : 0;
        from = off->in;
    }
    return ran + (until > from ? until - from : 0);
}

static void add_uses(struct thread_time *times, const struct kernel_side *side,
                     const struct use_list *uses)
{
    time_ns reached = INT64_MIN;
    for (size_t i = 0; i < uses->count; i++) {
        const struct use *use = &uses->items[i];
        reached = i > 0 && use[-1].task == use->task ? reached : INT64_MIN;
        time_ns from = reached > use->from ? reached : use->from;
        reached = use->until > reached ? use->until : reached;
        if (from >= use->until)
            continue;
        widen(&times[use->task], from, use->until);
        times[use->task].ran += ran_in(&side->tasks[use->task], from, use->until);
    }
}

struct thread_time *thread_times_find(const struct kernel_side *side)
{
    struct thread_time *times = memory_zeroed((side->task_count + 1) * sizeof *times);
    struct use_list uses = {0};
    gather(&uses, side);
    if (uses.count)
        qsort(uses.items, uses.count, sizeof *uses.items, by_task);
    for (uint32_t t = 1; t < side->task_count; t++)
        for (uint32_t i = 0; kernel_task_is_of_run(side, t) && i <= side->tasks[t].off_count; i++)
            add_off(&times[t], off_at(&side->tasks[t], i));
    add_uses(times, side, &uses);
    for (uint32_t t = 1; t < side->task_count; t++)
        times[t].missing =
            thread_time_wall(&times[t]) - times[t].ran - times[t].off - times[t].queue;
    memory_free(uses.items);
    return times;
}
