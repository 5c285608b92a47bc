#include "variance/attribution.h"

#include "base/memory.h"

/* A walk over one thread's spans and blocks from `position` to `hi`, below one node. */
struct sweep {
    struct attribution *a;
    const struct timeline_thread *thread;
    struct span_memo *memo;
    const struct blame *blame; /* NULL: on the critical path itself, below the root */
    uint32_t process;
    uint32_t depth;
    time_ns position, hi;
    uint32_t span;  /* innermost at position, or SPAN_NONE */
    uint32_t next;  /* first span that was not looked at */
    uint32_t block; /* first block that ends after position */
};

void attribution_init(struct attribution *a, const struct timelines *run,
                      struct callee_table *callees, struct interval_table *table)
{
    *a = (struct attribution){.run = run, .callees = callees, .table = table};
    a->paths = memory_zeroed(sizeof *a->paths * run->thread_count);
    a->wakers = memory_zeroed(sizeof *a->wakers * run->thread_count);
    a->wake_up = callee_named(callees, "wake-up latency");
    a->unknown_waker = callee_named(callees, "unknown waker");
    a->others = callee_named(callees, "waiting for others");
}

static void memos_release(struct span_memo *memos, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        memory_free(memos[t].node);
        memory_free(memos[t].stamp);
    }
    memory_free(memos);
}

void attribution_release(struct attribution *a)
{
    memos_release(a->paths, a->run->thread_count);
    memos_release(a->wakers, a->run->thread_count);
    memory_free(a->work);
    memory_free(a->climb);
}

void attribution_next_row(struct attribution *a)
{
    a->row_stamp++;
}

static struct span_memo *memo_of(struct span_memo *memos, const struct timelines *run,
                                 uint32_t thread)
{
    struct span_memo *memo = &memos[thread];
    if (!memo->node) {
        memo->node = memory_zeroed(sizeof *memo->node * run->threads[thread].span_count);
        memo->stamp = memory_zeroed(sizeof *memo->stamp * run->threads[thread].span_count);
    }
    return memo;
}

static void add_leaf(struct attribution *a, uint32_t below, enum node_kind kind, uint32_t callee,
                     uint32_t site, time_ns ns)
{
    if (ns <= 0)
        return;
    uint32_t node = interval_table_node(a->table, below, kind, callee);
    interval_table_add(a->table, node, ns);
    interval_table_count(a->table, node, site);
}

void attribution_leaf(struct attribution *a, enum node_kind kind, uint32_t callee, uint32_t site,
                      time_ns ns)
{
    add_leaf(a, TABLE_ROOT, kind, callee, site, ns);
}

/* A function's own span directly below the span of its call is the same call a second time. */
static bool is_body_of_call(const struct sweep *s, const struct span *span, uint32_t callee)
{
    if (span->parent == SPAN_NONE ||
        callee_probe_kind(s->a->callees, span->probe) != PROBE_FUNCTION)
        return false;
    const struct span *parent = &s->thread->spans[span->parent];
    return callee_probe_kind(s->a->callees, parent->probe) != PROBE_FUNCTION &&
           callee_of_span(s->a->callees, s->process, parent) == callee;
}

static uint32_t top_node(const struct sweep *s)
{
    return s->blame ? s->blame->below : TABLE_ROOT;
}

static uint32_t span_parent_node(const struct sweep *s, const struct span *span)
{
    return span->parent == SPAN_NONE ? top_node(s) : s->memo->node[span->parent];
}

static uint32_t span_make_node(const struct sweep *s, uint32_t index, bool *same_as_parent)
{
    const struct span *span = &s->thread->spans[index];
    struct attribution *a = s->a;
    uint32_t callee = callee_of_span(a->callees, s->process, span);
    enum node_kind kind = callee_has_body(a->callees, callee) ? NODE_FUNCTION : NODE_CALL;
    uint32_t parent = span_parent_node(s, span);
    *same_as_parent = is_body_of_call(s, span, callee);
    if (*same_as_parent)
        return parent;
    return interval_table_node(a->table, parent, s->blame ? NODE_WOKEN_BY : kind, callee);
}

static bool span_is_known(const struct sweep *s, uint32_t span)
{
    uint32_t stamp = s->blame ? s->a->blame_stamp : s->a->row_stamp;
    return s->memo->stamp[span] == stamp;
}

/* The node of a span. Asked for the first time in this row (or blame), the span and all that
 * enclose it count as one occurrence each. */
static uint32_t span_node(struct sweep *s, uint32_t span)
{
    struct attribution *a = s->a;
    a->climb_count = 0;
    for (uint32_t i = span; i != SPAN_NONE && !span_is_known(s, i); i = s->thread->spans[i].parent)
        VEC_PUSH(a->climb, a->climb_count, a->climb_capacity) = i;
    while (a->climb_count) {
        uint32_t i = a->climb[--a->climb_count];
        bool same_as_parent;
        uint32_t node = span_make_node(s, i, &same_as_parent);
        s->memo->node[i] = node;
        s->memo->stamp[i] = s->blame ? a->blame_stamp : a->row_stamp;
        if (!same_as_parent)
            interval_table_count(a->table, node, s->thread->spans[i].probe);
    }
    return s->memo->node[span];
}

static void add_running(struct sweep *s, time_ns ns)
{
    if (s->span != SPAN_NONE)
        interval_table_add(s->a->table, span_node(s, s->span), ns);
    else if (s->blame)
        add_leaf(s->a, s->blame->below, NODE_WOKEN_BY, s->blame->waker, 0, ns);
    else
        interval_table_add(s->a->table, TABLE_ROOT, ns);
}

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

/* Where a block hangs: below the innermost span; where no span of a waker covers it, below the
 * function that holds the blocking call. */
static uint32_t block_parent(struct sweep *s, const struct block *block)
{
    if (s->span != SPAN_NONE)
        return span_node(s, s->span);
    uint32_t holder = callee_holding(s->a->callees, block->site);
    if (!s->blame || holder == CALLEE_NONE)
        return top_node(s);
    return interval_table_node(s->a->table, s->blame->below, NODE_WOKEN_BY, holder);
}

/* The node of the call that blocked: the innermost span where that is this call, else below it. */
static uint32_t block_node(struct sweep *s, const struct block *block)
{
    struct attribution *a = s->a;
    uint32_t callee = callee_of_block(a->callees, block);
    uint32_t above = block_parent(s, block);
    if (s->span != SPAN_NONE && a->table->nodes[above].callee == callee)
        return above;
    uint32_t node =
        interval_table_node(a->table, above, s->blame ? NODE_WOKEN_BY : NODE_CALL, callee);
    interval_table_count(a->table, node, block->site);
    return node;
}

/* [lo, hi] of a block: what comes after the wake-up is latency, what comes before is the waker's.
 */
static void add_blocked(struct sweep *s, const struct block *block, time_ns lo, time_ns hi)
{
    struct attribution *a = s->a;
    uint32_t call = block_node(s, block);
    if (block->waker == THREAD_NONE) {
        add_leaf(a, call, NODE_WAIT, a->unknown_waker, 0, hi - lo);
        return;
    }
    time_ns woken = clamp(block->waker_time, lo, hi);
    add_leaf(a, call, NODE_WAIT, a->wake_up, 0, hi - woken);
    if (s->depth >= ATTRIBUTION_DEPTH) {
        add_leaf(a, call, NODE_WAIT, a->others, 0, woken - lo);
    } else if (woken > lo) {
        struct blame blame = {block->waker, lo, woken, call, callee_of_waker(a->callees, block),
                              s->depth + 1};
        VEC_PUSH(a->work, a->work_count, a->work_capacity) = blame;
    }
}

static uint32_t first_span_after(const struct timeline_thread *thread, time_ns time)
{
    uint32_t low = 0, high = thread->span_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (thread->spans[middle].start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sweep_start(struct sweep *s)
{
    s->span = timeline_innermost(s->thread, s->position);
    s->next = first_span_after(s->thread, s->position);
    int64_t block = timeline_block_before(s->thread, s->position);
    s->block = block < 0 ? 0 : (uint32_t)block;
    if (block >= 0 && s->thread->blocks[block].end <= s->position)
        s->block++;
}

/* Brings `span` up to the position: what ended is closed, what began is opened. */
static void sweep_settle(struct sweep *s)
{
    const struct span *spans = s->thread->spans;
    while (s->span != SPAN_NONE && spans[s->span].end <= s->position)
        s->span = spans[s->span].parent;
    for (; s->next < s->thread->span_count && spans[s->next].start <= s->position; s->next++)
        if (spans[s->next].end > s->position)
            s->span = s->next;
}

/* Nothing begins or ends between the position and here. */
static time_ns sweep_stop(const struct sweep *s)
{
    time_ns stop = s->hi;
    if (s->span != SPAN_NONE && s->thread->spans[s->span].end < stop)
        stop = s->thread->spans[s->span].end;
    if (s->next < s->thread->span_count && s->thread->spans[s->next].start < stop)
        stop = s->thread->spans[s->next].start;
    if (s->block < s->thread->block_count && s->thread->blocks[s->block].start < stop)
        stop = s->thread->blocks[s->block].start;
    return stop;
}

static void sweep_run(struct sweep *s)
{
    sweep_start(s);
    while (s->position < s->hi) {
        sweep_settle(s);
        const struct block *block = &s->thread->blocks[s->block];
        time_ns stop;
        if (s->block < s->thread->block_count && block->start <= s->position) {
            stop = clamp(block->end, s->position, s->hi);
            if (stop > s->position)
                add_blocked(s, block, s->position, stop);
            s->block++;
        } else {
            stop = sweep_stop(s);
            add_running(s, stop - s->position);
        }
        s->position = stop;
    }
}

static void blame_run(struct attribution *a, const struct blame *blame)
{
    a->blame_stamp++;
    struct sweep s = {.a = a,
                      .thread = &a->run->threads[blame->thread],
                      .memo = memo_of(a->wakers, a->run, blame->thread),
                      .blame = blame,
                      .process = a->run->threads[blame->thread].process,
                      .depth = blame->depth,
                      .position = blame->lo,
                      .hi = blame->hi};
    sweep_run(&s);
}

void attribution_stretch(struct attribution *a, uint32_t thread, time_ns lo, time_ns hi)
{
    struct sweep s = {.a = a,
                      .thread = &a->run->threads[thread],
                      .memo = memo_of(a->paths, a->run, thread),
                      .process = a->run->threads[thread].process,
                      .position = lo,
                      .hi = hi};
    sweep_run(&s);
    while (a->work_count) {
        struct blame blame = a->work[--a->work_count];
        blame_run(a, &blame);
    }
}
