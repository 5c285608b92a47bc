#include "trace/sampled_wait.h"

#include "base/hash_map.h"
#include "base/memory.h"

/* Between the stack's own time and that of its switch or waking: what it takes to copy the stack. */
#define BEFORE_NS 20000
#define BEHIND_NS 1000000

struct matching {
    struct sampled_waits *waits;
    const struct kernel_side *side;
    struct hash_map task_of; /* tid -> 1 + its last task */
    uint32_t *before;        /* by task: 1 + an earlier one of its tid, or 0 */
    struct hash_map known;   /* task << 33 | off << 1 | of the waker -> 1 + item */
    size_t capacity;
    bool all;
};

static void index_tasks(struct matching *m)
{
    m->before = memory_zeroed((m->side->task_count + 1) * sizeof *m->before);
    for (uint32_t t = 1; t < m->side->task_count; t++) {
        uint64_t *last = hash_map_put(&m->task_of, m->side->tasks[t].tid);
        m->before[t] = (uint32_t)*last;
        *last = 1 + t;
    }
}

static time_ns moment_of(const struct off_cpu *off, bool waking)
{
    return waking ? off->woken : off->out;
}

static bool is_of(const struct matching *m, const struct wait_stack *stack,
                  const struct off_cpu *off)
{
    if (!stack->woken)
        return true;
    return off->waker != TASK_NONE && m->side->tasks[off->waker].tid == stack->tid;
}

static void keep(struct matching *m, struct sampled_wait found, uint32_t off)
{
    uint64_t key = (uint64_t)found.who << 33 | (uint64_t)off << 1 | (found.stack->woken != 0);
    uint64_t *known = hash_map_put(&m->known, key);
    struct sampled_waits *waits = m->waits;
    if (!*known) {
        VEC_PUSH(waits->items, waits->count, m->capacity) = found;
        *known = waits->count;
    } else if (found.stack->one_in < waits->items[*known - 1].stack->one_in) {
        waits->items[*known - 1] = found;
    }
}

/* NULL: there are not so many. */
static const struct off_cpu *off_at(const struct matching *m, const struct kernel_task *task,
                                    uint32_t i)
{
    if (i < task->off_count)
        return &task->offs[i];
    return m->all && i == task->off_count && task->open.out < task->open.in ? &task->open : NULL;
}

static time_ns apart(time_ns a, time_ns b)
{
    return a > b ? a - b : b - a;
}

/* Of a task's offs that whose moment is nearest, or UINT32_MAX: none is near. */
static uint32_t nearest_off(const struct matching *m, const struct wait_stack *stack,
                            const struct kernel_task *task)
{
    bool waking = stack->woken != 0;
    time_ns from = stack->time - BEFORE_NS, least = INT64_MAX;
    uint32_t nearest = UINT32_MAX;
    const struct off_cpu *off;
    for (uint32_t i = kernel_task_off_behind(task, from - 1); (off = off_at(m, task, i)); i++) {
        time_ns moment = moment_of(off, waking), distance = apart(moment, stack->time);
        if (moment > stack->time + BEHIND_NS)
            break;
        if (moment < from || distance >= least || !is_of(m, stack, off))
            continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

/* True: the stack is of this task. */
static bool match(struct matching *m, const struct wait_stack *stack, uint32_t t)
{
    const struct kernel_task *task = &m->side->tasks[t];
    uint32_t nearest = nearest_off(m, stack, task);
    if (nearest == UINT32_MAX)
        return false;
    const struct off_cpu *off = off_at(m, task, nearest);
    if (m->all || off->woken > off->out)
        keep(m, (struct sampled_wait){stack, off, t}, nearest);
    return true;
}

void sampled_waits_fill(struct sampled_waits *waits, const struct kernel_side *side,
                        const struct wait_stacks *stacks, bool all)
{
    struct matching m = {.waits = waits, .side = side, .all = all};
    *waits = (struct sampled_waits){0};
    index_tasks(&m);
    for (uint32_t i = 0; i < stacks->count; i++) {
        const struct wait_stack *stack = &stacks->items[i];
        const uint64_t *last = hash_map_get(&m.task_of, stack->woken ? stack->woken : stack->tid);
        uint32_t t = last ? (uint32_t)*last : 0;
        while (t && !match(&m, stack, t - 1))
            t = m.before[t - 1];
        waits->unmatched += !t;
        waits->unmatched_wakings += !t && stack->woken;
    }
    hash_map_release(&m.task_of);
    hash_map_release(&m.known);
    memory_free(m.before);
}

void sampled_waits_release(struct sampled_waits *waits)
{
    memory_free(waits->items);
    *waits = (struct sampled_waits){0};
}
