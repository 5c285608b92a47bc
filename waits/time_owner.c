#include "waits/time_owner.h"

#include "base/memory.h"
#include "base/near_search.h"
#include "trace/hold.h"

/* A vertex and how deep it is below the thread that was asked for. */
struct place {
    uint32_t vertex, depth;
};

static void tell_vertex(const struct time_owner *o, struct place at, time_ns lo, time_ns hi);
static void tell_thread(const struct time_owner *o, uint32_t thread, uint32_t depth, time_ns lo,
                        time_ns hi);

void time_owner_init(struct time_owner *owner, const struct timelines *run,
                     const struct vertex_table *vertices, const struct time_taker *taker,
                     void *context)
{
    *owner = (struct time_owner){run, vertices,
                                 memory_alloc(sizeof(uint32_t) * ((size_t)run->thread_count + 1)),
                                 taker, context};
    for (uint32_t t = 0; t < run->thread_count; t++)
        owner->vertex_of_thread[t] = vertex_of_kind(vertices, VERTEX_UNKNOWN);
    for (uint32_t i = 0; i < vertices->side->task_count; i++)
        if (vertices->side->tasks[i].thread != THREAD_NONE)
            owner->vertex_of_thread[vertices->side->tasks[i].thread] = i;
}

void time_owner_release(struct time_owner *owner)
{
    memory_free(owner->vertex_of_thread);
    owner->vertex_of_thread = NULL;
}

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

static void leaf(const struct time_owner *o, enum time_kind kind, uint32_t from, uint32_t to,
                 time_ns ns)
{
    if (ns > 0)
        o->taker->leaf(o->context, kind, from, to, ns);
}

/* What is no thread is not followed. */
static void wait(const struct time_owner *o, struct place at, uint32_t whom, time_ns lo, time_ns hi)
{
    if (hi <= lo)
        return;
    bool followed = vertex_kind_of(o->vertices, whom) == VERTEX_THREAD && whom != at.vertex &&
                    at.depth < TIME_OWNER_DEPTH;
    if (!followed) {
        leaf(o, TIME_WAITS, at.vertex, whom, hi - lo);
        return;
    }
    o->taker->edge(o->context, at.vertex, whom, hi - lo);
    tell_vertex(o, (struct place){whom, at.depth + 1}, lo, hi);
}

/* ---- wanting a processor ---- */

static void add_runnable(const struct time_owner *o, uint32_t vertex, const struct off_cpu *off,
                         time_ns lo, time_ns hi)
{
    const struct kernel_side *side = o->vertices->side;
    const struct processor *processor =
        off->processor < side->processor_count ? &side->processors[off->processor] : NULL;
    int64_t use = processor && hi > lo ? processor_use_at(processor, hi - 1) : -1;
    for (; hi > lo && use >= 0; use--) {
        time_ns from = clamp(processor->uses[use].start, lo, hi);
        uint32_t task = processor->uses[use].task;
        leaf(o, TIME_PROCESSOR, vertex, task == TASK_NONE || task == vertex ? NO_VERTEX : task,
             hi - from);
        hi = from;
    }
    leaf(o, TIME_PROCESSOR, vertex, NO_VERTEX, hi - lo);
}

/* The thread was let go on at `lo`; `off`, if any, is its last before it did. */
static void add_latency(const struct time_owner *o, const struct timeline_thread *thread,
                        uint32_t vertex, const struct off_cpu *off, time_ns lo, time_ns hi)
{
    time_ns ran = hi - lo;
    enum time_kind kind = off ? TIME_RUNS : TIME_WAKES;
    for (; off && off >= thread->offs && off->in > lo; off--) {
        time_ns from = clamp(off->woken, lo, hi), to = clamp(off->in, lo, hi);
        ran -= to - from;
        add_runnable(o, vertex, off, from, to);
    }
    leaf(o, kind, vertex, NO_VERTEX, ran);
}

/* ---- threads of the run: by what wrappers and the kernel tell together ---- */

static void add_unwoken(const struct time_owner *o, const struct timeline_thread *thread,
                        struct place at, const struct block *block, const struct off_cpu *off,
                        time_ns lo, time_ns hi)
{
    const struct off_cpu *waking = off_with_waking(thread, off, block->start);
    bool only_seen = block->operation == BLOCK_OFF_CPU;
    time_ns woken = waking ? clamp(waking->woken, lo, hi) : only_seen ? lo : hi;
    uint32_t whom = vertex_of_kind(o->vertices, VERTEX_UNKNOWN);
    if (waking && (!block->gave_up || waking->cause == OFF_TIMER))
        whom = vertex_of_off(o->vertices, waking);
    if (off)
        add_latency(o, thread, at.vertex, off, woken, hi);
    wait(o, at, whom, lo, woken);
}

static void add_part(const struct time_owner *o, const struct timeline_thread *thread,
                     struct place at, const struct block *block, const struct off_cpu *off,
                     time_ns lo, time_ns hi)
{
    if (block->waker == THREAD_NONE) {
        add_unwoken(o, thread, at, block, off, lo, hi);
        return;
    }
    time_ns woken = clamp(block->waker_time, lo, hi);
    uint32_t whom = o->vertex_of_thread[block->waker];
    add_latency(o, thread, at.vertex, off, woken, hi);
    if (woken <= lo)
        return;
    if (at.depth >= TIME_OWNER_DEPTH) {
        leaf(o, TIME_WAITS, at.vertex, whom, woken - lo);
        return;
    }
    o->taker->edge(o->context, at.vertex, whom, woken - lo);
    tell_thread(o, block->waker, at.depth + 1, lo, woken);
}

/* Who held what was waited for gets the part in which it had it. */
static void add_blocked(const struct time_owner *o, const struct timeline_thread *thread,
                        struct place at, const struct block *block, time_ns lo, time_ns hi)
{
    const struct off_cpu *off = off_of_block(thread, (uint32_t)(block - thread->blocks));
    struct block part = block_last_part(o->run, block);
    if (block->operation == BLOCK_OFF_CPU) {
        add_part(o, thread, at, block, off, lo, hi);
        return;
    }
    do {
        time_ns from = clamp(part.start, lo, hi), to = clamp(part.end, lo, hi);
        /* Who held up a part is not what the kernel saw at the end of the wait. */
        bool held = block->waker != THREAD_NONE && part.waker == THREAD_NONE;
        if (from < to)
            add_part(o, thread, at, &part, held ? NULL : off, from, to);
    } while (part.start > lo && block_part_before(o->run, block, &part));
}

static void tell_thread(const struct time_owner *o, uint32_t index, uint32_t depth, time_ns lo,
                        time_ns hi)
{
    const struct timeline_thread *thread = &o->run->threads[index];
    struct place at = {o->vertex_of_thread[index], depth};
    time_ns ran = hi - lo;
    for (int64_t b = timeline_block_before(thread, hi - 1); b >= 0 && thread->blocks[b].end > lo;
         b--) {
        const struct block *block = &thread->blocks[b];
        time_ns from = clamp(block->start, lo, hi), to = clamp(block->end, lo, hi);
        ran -= to - from;
        if (from < to)
            add_blocked(o, thread, at, block, from, to);
    }
    leaf(o, TIME_RUNS, at.vertex, NO_VERTEX, ran);
}

/* ---- others: by what the kernel tells ---- */

struct moment {
    const struct off_cpu *offs;
    time_ns time;
};

static bool off_begins_before(const void *context, size_t i)
{
    const struct moment *moment = context;
    return moment->offs[i].out < moment->time;
}

/* The result is how much of [lo, hi] it was off its processor. */
static time_ns add_off(const struct time_owner *o, struct place at, const struct off_cpu *off,
                       time_ns lo, time_ns hi)
{
    time_ns out = clamp(off->out, lo, hi), woken = clamp(off->woken, lo, hi),
            in = clamp(off->in, lo, hi);
    add_runnable(o, at.vertex, off, woken, in);
    wait(o, at, vertex_of_off(o->vertices, off), out, woken);
    return in - out;
}

static void tell_task(const struct time_owner *o, struct place at, time_ns lo, time_ns hi)
{
    const struct kernel_task *task = &o->vertices->side->tasks[at.vertex];
    struct moment end = {task->offs, hi};
    time_ns ran = hi - lo;
    size_t next = near_search(task->off_count, task->off_count, off_begins_before, &end);
    if (task->open.in > task->open.out)
        ran -= add_off(o, at, &task->open, lo, hi);
    for (size_t i = next; i-- > 0 && task->offs[i].in > lo;)
        ran -= add_off(o, at, &task->offs[i], lo, hi);
    leaf(o, TIME_RUNS, at.vertex, NO_VERTEX, ran);
}

static void tell_vertex(const struct time_owner *o, struct place at, time_ns lo, time_ns hi)
{
    uint32_t thread = o->vertices->side->tasks[at.vertex].thread;
    if (thread == THREAD_NONE)
        tell_task(o, at, lo, hi);
    else
        tell_thread(o, thread, at.depth, lo, hi);
}

void time_owner_tell(const struct time_owner *owner, uint32_t thread, time_ns lo, time_ns hi)
{
    if (lo < hi)
        tell_thread(owner, thread, 0, lo, hi);
}
