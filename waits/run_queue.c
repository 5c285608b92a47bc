#include "waits/run_queue.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/near_search.h"
#include "waits/charge_sums.h"

/* A thread that waits while more threads than this have its processor is counted with the others that do. */
enum { MOST_ALONE = 16 };
/* Uses of a processor that are looked at together. */
enum { AT_ONCE = 1024 };

/* From the use of a processor on, so many more threads of a group wait for it. */
struct change {
    uint32_t use, who;
    int32_t by;
};

struct queued {
    struct change *changes;
    size_t count, capacity;
    size_t near; /* the use that was looked for last */
};

struct charging {
    const struct kernel_side *side;
    const struct wait_graph *graph;
    struct charge_sums sums;
    struct queued *queued; /* by processor */
    /* While a processor's uses are gone through: */
    uint32_t *waiting; /* groups */
    uint32_t waiting_count;
    uint32_t *threads; /* by group: so many of it wait */
    uint32_t *place;   /* by group: in `waiting` */
};

/* ---- one thread's wait ---- */

struct moment {
    const struct processor_use *uses;
    time_ns time;
};

static bool begins_until(const void *context, size_t i)
{
    const struct moment *moment = context;
    return moment->uses[i].start <= moment->time;
}

/* How many of the processor's uses began at `time` or before. */
static size_t uses_until(struct charging *c, uint32_t processor, time_ns time)
{
    struct queued *queued = &c->queued[processor];
    struct moment moment = {c->side->processors[processor].uses, time};
    queued->near =
        near_search(c->side->processors[processor].count, queued->near, begins_until, &moment);
    return queued->near;
}

static uint32_t group_of(const struct charging *c, uint32_t task)
{
    return task == TASK_NONE ? NO_GROUP : c->graph->group_of[task];
}

/* Where the processor's use with this number ends; use 0 is the time before all that are known. */
static time_ns end_of(const struct processor *processor, size_t use, time_ns otherwise)
{
    return use < processor->count ? processor->uses[use].start : otherwise;
}

static void charge_use(struct charging *c, uint32_t who, const struct processor *processor,
                       size_t use, time_ns from, time_ns until)
{
    uint32_t had = use ? group_of(c, processor->uses[use - 1].task) : NO_GROUP;
    charge_sums_add(&c->sums, who, had, from, until, 1);
}

static void queue(struct charging *c, uint32_t processor, size_t use, uint32_t who, int32_t by)
{
    struct queued *queued = &c->queued[processor];
    VEC_PUSH(queued->changes, queued->count, queued->capacity) =
        (struct change){(uint32_t)use, who, by};
}

/* The uses between the first and the last are whole. */
static void charge_off(struct charging *c, uint32_t who, const struct off_cpu *off)
{
    if (off->woken >= off->in)
        return;
    if (off->processor >= c->side->processor_count) {
        charge_sums_add(&c->sums, who, NO_GROUP, off->woken, off->in, 1);
        return;
    }
    const struct processor *processor = &c->side->processors[off->processor];
    size_t first = uses_until(c, off->processor, off->woken);
    size_t last = uses_until(c, off->processor, off->in);
    time_ns end = end_of(processor, first, off->in);
    charge_use(c, who, processor, first, off->woken, end < off->in ? end : off->in);
    if (last > first)
        charge_use(c, who, processor, last, processor->uses[last - 1].start, off->in);
    if (last > first + MOST_ALONE) {
        queue(c, off->processor, first + 1, who, 1);
        queue(c, off->processor, last, who, -1);
        return;
    }
    for (size_t use = first + 1; use < last; use++)
        charge_use(c, who, processor, use, processor->uses[use - 1].start,
                   processor->uses[use].start);
}

/* ---- those who wait for long ---- */

/* By use: there are as many numbers as uses. */
static struct change *by_use(const struct queued *queued, uint32_t uses)
{
    size_t *next = memory_zeroed((uses + 2) * sizeof *next);
    struct change *sorted = memory_alloc((queued->count + 1) * sizeof *sorted);
    for (size_t i = 0; i < queued->count; i++)
        next[queued->changes[i].use + 1]++;
    for (uint32_t use = 0; use <= uses; use++)
        next[use + 1] += next[use];
    for (size_t i = 0; i < queued->count; i++)
        sorted[next[queued->changes[i].use]++] = queued->changes[i];
    memory_free(next);
    return sorted;
}

static void change_waiting(struct charging *c, const struct change *change)
{
    uint32_t who = change->who, before = c->threads[who];
    c->threads[who] += (uint32_t)change->by;
    if (!before) {
        c->place[who] = c->waiting_count;
        c->waiting[c->waiting_count++] = who;
    } else if (!c->threads[who]) {
        uint32_t moved = c->waiting[--c->waiting_count];
        c->waiting[c->place[who]] = moved;
        c->place[moved] = c->place[who];
    }
}

static void charge_queued(struct charging *c, uint32_t index)
{
    const struct processor *processor = &c->side->processors[index];
    const struct queued *queued = &c->queued[index];
    if (!queued->count)
        return;
    struct change *changes = by_use(queued, processor->count);
    size_t next = 0;
    for (uint32_t use = 1; next < queued->count; use++) {
        for (; next < queued->count && changes[next].use == use; next++)
            change_waiting(c, &changes[next]);
        for (uint32_t i = 0; i < c->waiting_count; i++)
            charge_sums_add(&c->sums, c->waiting[i], group_of(c, processor->uses[use - 1].task),
                            processor->uses[use - 1].start, processor->uses[use].start,
                            c->threads[c->waiting[i]]);
    }
    memory_free(changes);
}

/* ---- all ---- */

/* Those that end until then and are not charged yet. */
static void charge_until(struct charging *c, const struct vertex_table *vertices, uint32_t *charged,
                         time_ns until)
{
    for (uint32_t t = 1; t < c->side->task_count; t++) {
        const struct kernel_task *task = &c->side->tasks[t];
        while (charged[t] < task->off_count && task->offs[charged[t]].in <= until) {
            const struct off_cpu *off = &task->offs[charged[t]++];
            if (vertex_is_of_run(vertices, t))
                charge_off(c, c->graph->group_of[t], off);
        }
    }
}

/* One stretch of time after another: the uses in it are near each other in memory. */
static void charge_all(struct charging *c, const struct vertex_table *vertices)
{
    const struct processor *longest = c->side->processors;
    uint32_t *charged = memory_zeroed((c->side->task_count + 1) * sizeof *charged);
    for (uint32_t p = 1; p < c->side->processor_count; p++)
        if (c->side->processors[p].count > longest->count)
            longest = &c->side->processors[p];
    for (uint32_t use = AT_ONCE; c->side->processor_count && use < longest->count; use += AT_ONCE)
        charge_until(c, vertices, charged, longest->uses[use].start);
    charge_until(c, vertices, charged, INT64_MAX);
    memory_free(charged);
    for (uint32_t p = 0; p < c->side->processor_count; p++)
        charge_queued(c, p);
}

static int by_share(const void *a, const void *b)
{
    const struct run_queue_charge *p = a, *q = b;
    if (p->share.value != q->share.value)
        return p->share.value > q->share.value ? -1 : 1;
    if (p->who != q->who)
        return p->who < q->who ? -1 : 1;
    return p->had < q->had ? -1 : p->had > q->had;
}

static void keep_charges(struct run_queue *queue, const struct charging *c,
                         const struct cascade *cascade)
{
    queue->count = (uint32_t)c->sums.count;
    queue->charges = memory_alloc((c->sums.count + 1) * sizeof *queue->charges);
    for (size_t i = 0; i < c->sums.count; i++) {
        const struct charge_sum *sum = &c->sums.items[i];
        queue->charges[i] = (struct run_queue_charge){
            .who = sum->who,
            .had = sum->had,
            .time = cascade_sum(sum->time),
            .share = wait_share_of(sum->time, cascade, c->graph->groups[sum->who].members)};
    }
    qsort(queue->charges, queue->count, sizeof *queue->charges, by_share);
}

void run_queue_fill(struct run_queue *queue, const struct wait_graph *graph,
                    const struct cascade *cascade)
{
    const struct kernel_side *side = cascade->vertices->side;
    uint32_t groups = graph->group_count;
    struct charging c = {.side = side,
                         .graph = graph,
                         .queued = memory_zeroed((side->processor_count + 1) * sizeof *c.queued),
                         .waiting = memory_zeroed((groups + 1) * sizeof *c.waiting),
                         .threads = memory_zeroed((groups + 1) * sizeof *c.threads),
                         .place = memory_zeroed((groups + 1) * sizeof *c.place)};
    charge_sums_init(&c.sums, cascade->borders, groups);
    charge_all(&c, cascade->vertices);
    keep_charges(queue, &c, cascade);
    charge_sums_release(&c.sums);
    for (uint32_t p = 0; p < side->processor_count; p++)
        memory_free(c.queued[p].changes);
    memory_free(c.queued);
    memory_free(c.waiting);
    memory_free(c.threads);
    memory_free(c.place);
}

void run_queue_release(struct run_queue *queue)
{
    memory_free(queue->charges);
    *queue = (struct run_queue){0};
}
