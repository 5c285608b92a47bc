#include "waits/run_queue.h"

#include <stdlib.h>

#include "base/memory.h"
#include "waits/time_window.h"

struct charging {
    const struct wait_graph *graph;
    const struct cascade *cascade;
    struct run_queue *queue;
    struct windowed {
        time_ns of[CASCADE_WINDOWS];
    } * times; /* by charge */
    size_t capacity, times_capacity;
    struct hash_map charge_of; /* who << 32 | had -> 1 + charge */
};

static size_t charge_between(struct charging *c, uint32_t who, uint32_t had)
{
    uint64_t *known = hash_map_put(&c->charge_of, (uint64_t)who << 32 | had);
    if (!*known) {
        size_t count = c->queue->count, times = count;
        VEC_PUSH(c->queue->charges, count, c->capacity) =
            (struct run_queue_charge){.who = who, .had = had};
        VEC_PUSH(c->times, times, c->times_capacity) = (struct windowed){{0}};
        c->queue->count = (uint32_t)count;
        *known = count;
    }
    return *known - 1;
}

static void add_time(struct charging *c, size_t charge, time_ns from, time_ns until)
{
    time_window_add(c->times[charge].of, c->cascade->borders, from, until);
    c->queue->charges[charge].time += until - from;
}

static void charge(struct charging *c, uint32_t who, uint32_t task, time_ns from, time_ns until)
{
    uint32_t had = task == TASK_NONE ? NO_GROUP : c->graph->group_of[task];
    if (until > from)
        add_time(c, charge_between(c, who, had), from, until);
}

/* Before the first use of a processor it is not known who had it. */
static void charge_off(struct charging *c, uint32_t who, const struct off_cpu *off)
{
    const struct kernel_side *side = c->cascade->vertices->side;
    time_ns at = off->woken;
    if (off->processor < side->processor_count) {
        const struct processor *processor = &side->processors[off->processor];
        int64_t use = processor_use_at(processor, at);
        for (; at < off->in && use + 1 < (int64_t)processor->count; use++) {
            time_ns next = processor->uses[use + 1].start;
            time_ns end = next < off->in ? next : off->in;
            charge(c, who, use < 0 ? TASK_NONE : processor->uses[use].task, at, end);
            at = end;
        }
        if (use >= 0 && at < off->in) {
            charge(c, who, processor->uses[use].task, at, off->in);
            at = off->in;
        }
    }
    charge(c, who, TASK_NONE, at, off->in);
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

void run_queue_fill(struct run_queue *queue, const struct wait_graph *graph,
                    const struct cascade *cascade)
{
    const struct kernel_side *side = cascade->vertices->side;
    struct charging c = {.graph = graph, .cascade = cascade, .queue = queue};
    *queue = (struct run_queue){0};
    for (uint32_t t = 1; t < side->task_count; t++) {
        if (!vertex_is_of_run(cascade->vertices, t))
            continue;
        for (uint32_t i = 0; i < side->tasks[t].off_count; i++)
            charge_off(&c, graph->group_of[t], &side->tasks[t].offs[i]);
    }
    for (uint32_t i = 0; i < queue->count; i++)
        queue->charges[i].share =
            wait_share_of(c.times[i].of, cascade, graph->groups[queue->charges[i].who].members);
    if (queue->count)
        qsort(queue->charges, queue->count, sizeof *queue->charges, by_share);
    memory_free(c.times);
    hash_map_release(&c.charge_of);
}

void run_queue_release(struct run_queue *queue)
{
    memory_free(queue->charges);
    *queue = (struct run_queue){0};
}
