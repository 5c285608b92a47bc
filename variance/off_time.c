#include "variance/off_time.h"

#include "symbol/kernel_name.h"

void off_time_init(struct off_time *o, const struct timelines *run, struct callee_table *callees,
                   struct interval_table *table)
{
    *o = (struct off_time){run,
                           callees,
                           table,
                           callee_of_wait(callees, WAIT_WAKE_UP),
                           callee_of_wait(callees, WAIT_UNKNOWN_WAKER),
                           callee_of_wait(callees, WAIT_GAVE_UP),
                           callee_of_wait(callees, WAIT_PROCESSOR),
                           callee_of_wait(callees, WAIT_PREEMPTED)};
}

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

/* An idle processor had nobody, and was to come to the thread. */
static void add_use(const struct off_time *o, uint32_t below, uint32_t wait, uint32_t task,
                    time_ns ns)
{
    if (ns <= 0)
        return;
    if (task == TASK_IDLE) {
        interval_table_leaf(o->table, below, NODE_WAIT, o->wake_up, 0, ns);
        return;
    }
    uint32_t node = interval_table_node(o->table, below, NODE_WAIT, wait);
    interval_table_count(o->table, node, 0);
    if (task == TASK_NONE)
        interval_table_add(o->table, node, ns);
    else
        interval_table_leaf(o->table, node, NODE_WOKEN_BY, callee_of_task(o->callees, task), 0, ns);
}

static bool is_task_of(const struct timelines *run, uint32_t task,
                       const struct timeline_thread *thread)
{
    uint32_t of = kernel_task_thread(run, task);
    return of != THREAD_NONE && &run->threads[of] == thread;
}

/* Who had the processor in [lo, hi], while the thread was runnable. */
static void add_runnable(const struct off_time *o, const struct timeline_thread *thread,
                         uint32_t below, const struct off_cpu *off, time_ns lo, time_ns hi)
{
    const struct kernel_side *side = o->run->kernel_side;
    const struct processor *processor =
        off->processor < side->processor_count ? &side->processors[off->processor] : NULL;
    int64_t use = processor ? processor_use_at(processor, hi - 1) : -1;
    uint32_t wait = off->cause == OFF_RUNNABLE ? o->preempted : o->processor;
    for (; hi > lo && use >= 0; use--) {
        time_ns from = clamp(processor->uses[use].start, lo, hi);
        uint32_t task = processor->uses[use].task;
        add_use(o, below, wait, is_task_of(o->run, task, thread) ? TASK_NONE : task, hi - from);
        hi = from;
    }
    add_use(o, below, wait, TASK_NONE, hi - lo);
}

void off_time_latency(const struct off_time *o, const struct timeline_thread *thread, uint32_t call,
                      const struct off_cpu *off, time_ns lo, time_ns hi)
{
    time_ns ran = hi - lo;
    for (; off && off >= thread->offs && off->in > lo; off--) {
        time_ns from = clamp(off->woken, lo, hi), to = clamp(off->in, lo, hi);
        ran -= to - from;
        if (to > from)
            add_runnable(o, thread, call, off, from, to);
    }
    interval_table_leaf(o->table, call, NODE_WAIT, o->wake_up, 0, ran);
}

static enum node_kind kind_of_cause(const struct off_time *o, uint32_t callee)
{
    enum wait_kind wait = o->callees->items[callee].wait;
    bool device = wait == WAIT_DISK || wait == WAIT_FAULT || wait == WAIT_NETWORK;
    return device ? NODE_IO : NODE_WAIT;
}

void off_time_unwoken(const struct off_time *o, const struct timeline_thread *thread, uint32_t call,
                      const struct block *block, const struct off_cpu *off, time_ns lo, time_ns hi)
{
    uint32_t callee = block->gave_up ? o->gave_up : o->unknown_waker;
    const struct off_cpu *waking = off_with_waking(thread, off, block->start);
    time_ns woken = hi;
    if (waking)
        woken = clamp(waking->woken, lo, hi);
    else if (block->operation == BLOCK_OFF_CPU)
        woken = lo;
    bool told = waking && (block->operation == BLOCK_OFF_CPU || waking->cause != OFF_UNKNOWN);
    if (told && (!block->gave_up || waking->cause == OFF_TIMER))
        callee = callee_of_off(o->callees, waking);
    if (off)
        off_time_latency(o, thread, call, off, woken, hi);
    interval_table_leaf(o->table, call, kind_of_cause(o, callee), callee, 0, woken - lo);
}
