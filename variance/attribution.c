#include "variance/attribution.h"

#include <string.h>

#include "base/memory.h"
#include "base/near_search.h"
#include "base/str.h"
#include "symbol/caller_chain.h"
#include "symbol/waker_name.h"
#include "trace/hold.h"
#include "trace/off_cpu.h"
#include "trace/span_walk_run.h"

/* A call has a place where it takes time: its node's in the sums, and whether it is a function's
 * own span, and not that of a call. It is said with it whether the call counts, or is the one
 * around it a second time; whether it takes time, or has its part in that of a call of the same
 * function around it; and where among the steps those of the calls in it begin. What hangs
 * below a node that is no call's is placed as below a function. */
#define PLACE_IN_SUMS(place) ((uint32_t)((place) >> 32))
#define PLACE_COUNTS UINT64_C(1)
#define PLACE_FUNCTION UINT64_C(2)
#define PLACE_TAKES_BIT 2
#define PLACE_STEP_BIT 4 /* from here on up: the first of its steps */
#define PLACE_NONE UINT64_MAX

static uint64_t place_of(const struct interval_table *table, uint32_t node, bool function,
                         bool counts, bool takes)
{
    uint32_t hash = (node << 1 | function) * UINT32_C(0x9e3779b9);
    return (uint64_t)table->sums.paths[node].place << 32 | (function ? PLACE_FUNCTION : 0) |
           (counts ? PLACE_COUNTS : 0) | (uint64_t)takes << PLACE_TAKES_BIT |
           hash >> (32 - ATTRIBUTION_STEP_BITS) << PLACE_STEP_BIT;
}

/* The key is that of a call of the probe whose parent has that place. */
static inline uint64_t step_key(uint64_t parent, uint32_t probe)
{
    return parent + ((uint64_t)probe << PLACE_STEP_BIT);
}

static inline struct attribution_step *step_at(struct attribution_step *steps, uint64_t key)
{
    return &steps[(key >> PLACE_STEP_BIT) % (1u << ATTRIBUTION_STEP_BITS)];
}

static uint32_t node_at(const struct interval_table *table, uint64_t place)
{
    return table->sums.path_at[PLACE_IN_SUMS(place)];
}

/* A sweep goes over one thread's calls and blocks in [lo, hi], below one node. */
struct sweep {
    struct attribution *a;
    const struct timeline_thread *thread;
    const struct blame *blame; /* NULL: on the critical path itself, below the root */
    uint32_t top;              /* the node that the outermost call hangs below */
    uint32_t depth;
    time_ns counted; /* calls that end later were counted */
    time_ns lo, hi;
    bool below_waker; /* the top stands for it already */
    struct interval_table *table;
    struct attribution_step *steps;
    /* sweep_all's own */
    int64_t first_block, last_block; /* those that overlap [lo, hi]; last < first: none */
    int64_t block;                   /* the latest one that is not behind the walk */
    time_ns block_start, block_end;  /* its; INT64_MIN: there is none */
    int64_t cover;                   /* the latest one that may begin a gap between calls */
    time_ns idle;                    /* from here to hi all gaps were found */
};

void attribution_init(struct attribution *a, const struct timelines *run,
                      struct callee_table *callees, struct interval_table *table)
{
    *a = (struct attribution){.run = run, .callees = callees, .table = table};
    span_walk_init(&a->walk, run);
    a->steps = memory_zeroed(sizeof *a->steps << ATTRIBUTION_STEP_BITS);
    a->blamed = memory_zeroed(sizeof *a->blamed << ATTRIBUTION_STEP_BITS);
    a->shares = memory_alloc(sizeof *a->shares * ATTRIBUTION_MOST_SHARES);
    a->counted = memory_zeroed(sizeof *a->counted * run->thread_count);
    blocked_time_init(&a->blocked, run);
    a->blocks_before = memory_zeroed(sizeof *a->blocks_before * run->thread_count);
    a->labels_before = memory_zeroed(sizeof *a->labels_before * run->thread_count);
    off_time_init(&a->off_time, run, callees, table);
    a->others = callee_of_wait(callees, WAIT_OTHERS);
    a->kernel = callee_named(callees, "blocked in the kernel");
}

void attribution_next_row(struct attribution *a, uint32_t interval)
{
    a->row++;
    a->interval = interval;
    part_set_clear(&a->parts);
}

void attribution_release(struct attribution *a)
{
    span_walk_release(&a->walk);
    blocked_time_release(&a->blocked);
    memory_free(a->blocks_before);
    memory_free(a->labels_before);
    memory_free(a->counted);
    memory_free(a->work);
    memory_free(a->shares);
    memory_free(a->steps);
    memory_free(a->blamed);
    memory_free(a->unplaced);
    part_set_release(&a->parts);
    part_set_release(&a->blamed_parts);
}

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

/* A function's own span directly below the span of its call is the same call a second time. */
static bool is_body_of_call(const struct sweep *s, uint64_t parent,
                            const struct callee_probe *probe)
{
    const struct interval_table *table = s->a->table;
    return probe->function && !(parent & PLACE_FUNCTION) && node_at(table, parent) != TABLE_ROOT &&
           callee_plain(s->a->callees, table->nodes[node_at(table, parent)].callee) ==
               probe->callee;
}

/* The call of a probe has a path below its caller's, which is that of `callee`. */
static uint64_t find_place(struct sweep *s, const struct callee_probe *called, uint32_t callee,
                           uint32_t probe, uint64_t parent)
{
    struct attribution *a = s->a;
    enum node_kind kind = s->blame ? NODE_WOKEN_BY : called->body ? NODE_FUNCTION : NODE_CALL;
    uint32_t node = node_at(a->table, parent);
    bool counts = !is_body_of_call(s, parent, called);
    bool takes = counts && !interval_table_is_deep(a->table, node, callee);
    if (takes) {
        node = interval_table_node(a->table, node, kind, callee);
        interval_table_meet(a->table, node, probe);
    }
    return place_of(a->table, node, called->function, counts, takes);
}

/* Kept, unless a call through a pointer leads elsewhere the next time. */
static struct attribution_step *make_step(struct sweep *s, struct attribution_step *kept,
                                          struct walked_call call, uint64_t parent)
{
    struct attribution *a = s->a;
    struct callee_probe probe =
        callee_of_call(a->callees, s->thread->process, call.probe, call.target);
    struct attribution_step *step = probe.known ? kept : &a->other;
    step->key = step_key(parent, call.probe);
    step->place = find_place(s, &probe, probe.callee, call.probe, parent);
    return step;
}

/* The path of a call whose caller has one, by the step from the caller's path through the probe.
 * Steps are kept by some bits of their key; the calls in one function have probes with numbers in a
 * row, so that their steps lie side by side. */
static inline uint64_t make_place(struct sweep *s, const struct walked_call *call, uint64_t parent)
{
    uint64_t key = step_key(parent, call->probe);
    struct attribution_step *step = step_at(s->steps, key);
    if (__builtin_expect(step->key != key || call->probe > TRACE_PROBE_MAX, 0))
        step = make_step(s, step, *call, parent);
    return step->place;
}

static inline bool holds_block(const struct sweep *s, const struct walked_call *call)
{
    return s->block_start >= call->start && s->block_end <= call->end;
}

/* The call that the latest block was in is told by what it was blocked by. */
static __attribute__((noinline)) uint64_t
make_place_of_block(struct sweep *s, const struct walked_call *call, uint64_t parent)
{
    struct callee_table *callees = s->a->callees;
    if (s->thread->blocks[s->block].operation == BLOCK_OFF_CPU)
        return make_place(s, call, parent);
    uint32_t callee = callee_of_block(callees, &s->thread->blocks[s->block]);
    struct callee_probe probe =
        callee_of_call(callees, s->thread->process, call->probe, call->target);
    if (callee_plain(callees, callee) != probe.callee)
        return make_place(s, call, parent);
    return find_place(s, &probe, callee, call->probe, parent);
}

/* The parts of a call may lie in several stretches, and on several threads. */
static __attribute__((noinline)) bool part_counts_now(const struct sweep *s,
                                                      struct walked_call call)
{
    struct part_set *counted = s->blame ? &s->a->blamed_parts : &s->a->parts;
    return part_set_add(counted, s->thread->process, call.probe, call.part);
}

/* The result is true if the call was not counted yet; inside of a stretch, it ends before all that
 * were. */
static inline bool counts_now(const struct sweep *s, const struct walked_call *call)
{
    if (__builtin_expect(call->part != 0, 0))
        return part_counts_now(s, *call);
    return call->inside || call->end <= s->counted;
}

static void add_shares(struct attribution *a)
{
    path_sums_take(&a->table->sums, a->shares, a->share_count);
    a->share_count = 0;
}

/* A call takes its share; the call around it a second time takes nothing more, and never counts. */
static inline struct path_share share_of(uint64_t place, time_ns ns, bool now)
{
    uint32_t counts = place & PLACE_COUNTS;
    time_ns takes = (time_ns)(place >> PLACE_TAKES_BIT & 1);
    return (struct path_share){PLACE_IN_SUMS(place), counts & now, ns & -takes};
}

/* The place of a time in the table depends on all that was looked up to find it. Stored at once, it
 * would keep the processor from reading what it may have stored there: the next call's place. */
static inline void share_time(struct attribution *a, struct path_share share)
{
    a->shares[a->share_count++] = share;
    if (__builtin_expect(a->share_count == ATTRIBUTION_MOST_SHARES, 0))
        add_shares(a);
}

/* A call that takes no time. */
static void place_late(struct sweep *s, struct walk_open *open, const struct walked_call *call)
{
    open->tag = holds_block(s, call) ? make_place_of_block(s, call, open[-1].tag)
                                     : make_place(s, call, open[-1].tag);
    share_time(s->a, share_of(open->tag, 0, counts_now(s, call)));
}

/* The node of the innermost open call that began at `time` or before, or NODE_NONE. */
static uint32_t innermost_node(struct sweep *s, struct walk_open *open, time_ns time)
{
    struct walk_open *floor = span_walk_floor(&s->a->walk), *placed;
    while (open->room.start > time)
        open--;
    if (open == floor)
        return NODE_NONE;
    for (placed = open; placed->tag == PLACE_NONE; placed--)
        ;
    while (placed++ < open)
        place_late(s, placed, &s->a->unplaced[placed - floor - 1]);
    return node_at(s->a->table, open->tag);
}

/* A block that no call of the thread covers hangs below the function that holds the blocking call,
 * if that is known of a waker. */
static uint32_t block_parent(struct sweep *s, const struct block *block)
{
    uint32_t holder = callee_holding(s->a->callees, block->site);
    if (!s->blame || holder == CALLEE_NONE)
        return s->top;
    return interval_table_node(s->a->table, s->top, NODE_WOKEN_BY, holder);
}

/* The node of the call that blocked: the innermost one where that is this call, else below it. What
 * the call does while it blocks (a declared one may poll) is not around the block. */
static uint32_t block_node(struct sweep *s, const struct block *block, struct walk_open *innermost)
{
    struct attribution *a = s->a;
    uint32_t callee = callee_of_block(a->callees, block);
    uint32_t above = innermost_node(s, innermost, block->start);
    if (above == NODE_NONE)
        above = block_parent(s, block);
    else if (a->table->nodes[above].callee == callee)
        return above;
    else if (callee_plain(a->callees, a->table->nodes[above].callee) ==
             callee_plain(a->callees, callee))
        above = a->table->nodes[above].parent; /* it was blocked by several */
    uint32_t node =
        interval_table_node(a->table, above, s->blame ? NODE_WOKEN_BY : NODE_CALL, callee);
    interval_table_count(a->table, node, block->site);
    return node;
}

/* The node that stands for the thread itself. */
static uint32_t waker_node(struct sweep *s)
{
    if (!s->blame || s->below_waker)
        return s->top;
    uint32_t node = interval_table_node(s->table, s->top, NODE_WOKEN_BY, s->blame->waker);
    interval_table_count(s->table, node, 0);
    return node;
}

/* A block that only the kernel saw is its own innermost call's, as a leaf; what another thread did
 * meanwhile hangs below a call, for which the kernel stands where none is known. */
static uint32_t off_node(struct sweep *s, const struct block *block, struct walk_open *innermost)
{
    struct attribution *a = s->a;
    uint32_t above = innermost_node(s, innermost, block->start);
    if (above == NODE_NONE)
        above = waker_node(s);
    if (block->waker == THREAD_NONE)
        return above;
    if (above == TABLE_ROOT || a->callees->items[a->table->nodes[above].callee].body) {
        above =
            interval_table_node(a->table, above, s->blame ? NODE_WOKEN_BY : NODE_CALL, a->kernel);
        interval_table_count(a->table, above, 0);
    }
    a->table->nodes[above].blocked = true;
    return above;
}

/* The part [lo, hi] of a block is divided: what comes after the wake-up is latency, what comes
 * before is the waker's. */
static void add_part(struct sweep *s, uint32_t call, const struct block *block,
                     const struct off_cpu *off, time_ns lo, time_ns hi)
{
    struct attribution *a = s->a;
    if (block->waker == THREAD_NONE) {
        off_time_unwoken(&a->off_time, s->thread, call, block, off, lo, hi);
        return;
    }
    time_ns woken = clamp(block->waker_time, lo, hi);
    off_time_latency(&a->off_time, s->thread, call, off, woken, hi);
    if (s->depth >= ATTRIBUTION_DEPTH) {
        interval_table_leaf(a->table, call, NODE_WAIT, a->others, 0, woken - lo);
    } else if (woken > lo) {
        struct blame blame = {.thread = block->waker,
                              .lo = lo,
                              .hi = woken,
                              .below = call,
                              .waker = callee_of_waker(a->callees, block),
                              .depth = s->depth + 1,
                              .stack = block->waker_stack};
        VEC_PUSH(a->work, a->work_count, a->work_capacity) = blame;
    }
}

/* The holder of what was waited for gets the part in which it had it. */
static void add_blocked(struct sweep *s, const struct block *block, struct walk_open *innermost,
                        time_ns lo, time_ns hi)
{
    const struct timelines *run = s->a->run;
    const struct off_cpu *off = off_of_block(s->thread, (uint32_t)(block - s->thread->blocks));
    if (block->operation == BLOCK_OFF_CPU) {
        add_part(s, off_node(s, block, innermost), block, off, lo, hi);
        return;
    }
    uint32_t call = block_node(s, block, innermost);
    s->a->table->nodes[call].blocked = true;
    struct block part = block_last_part(run, block);
    do {
        time_ns from = clamp(part.start, lo, hi), to = clamp(part.end, lo, hi);
        /* Who held up a part is not what the kernel saw at the end of the wait. */
        bool held = block->waker != THREAD_NONE && part.waker == THREAD_NONE;
        if (from < to)
            add_part(s, call, &part, held ? NULL : off, from, to);
    } while (part.start > lo && block_part_before(run, block, &part));
}

static time_ns running_time(const struct sweep *s, time_ns lo, time_ns hi)
{
    if (s->last_block < s->first_block)
        return hi - lo;
    struct blocked_time *blocked = &s->a->blocked;
    return hi - lo - blocked_time_in(blocked, s->thread, s->first_block, s->last_block, lo, hi);
}

/* Neither a call nor a block of a waker covers [lo, hi]. */
static void add_idle(struct sweep *s, time_ns lo, time_ns hi)
{
    if (lo >= hi || s->below_waker)
        return;
    interval_table_leaf(s->a->table, s->top, NODE_WOKEN_BY, s->blame->waker, 0, hi - lo);
    interval_table_add(s->a->table, s->top, lo - hi);
}

static void cover(struct sweep *s, time_ns start, time_ns end)
{
    add_idle(s, end, s->idle);
    s->idle = start < s->idle ? start : s->idle;
}

/* The covered blocks are told from the latest end to the earliest. */
static void cover_blocks(struct sweep *s, time_ns after)
{
    for (; s->cover >= s->first_block && s->thread->blocks[s->cover].end > after; s->cover--)
        cover(s, s->thread->blocks[s->cover].start, s->thread->blocks[s->cover].end);
}

static void cover_call(struct sweep *s, time_ns start, time_ns end)
{
    cover_blocks(s, end);
    cover(s, start, end);
}

static bool block_is_over(const void *sweep, size_t block)
{
    const struct sweep *s = sweep;
    return s->thread->blocks[block].end <= s->lo;
}

static void set_block(struct sweep *s, int64_t block)
{
    bool any = block >= s->first_block;
    s->block = block;
    s->block_start = any ? s->thread->blocks[block].start : INT64_MIN;
    s->block_end = any ? s->thread->blocks[block].end : INT64_MIN;
}

static void sweep_find_blocks(struct sweep *s)
{
    uint32_t *known = &s->a->blocks_before[s->thread - s->a->run->threads];
    s->last_block = s->cover = timeline_block_near(s->thread, s->hi - 1, known);
    size_t count = (size_t)(s->last_block + 1);
    s->first_block = (int64_t)near_search(count, count, block_is_over, s); /* most often near */
    set_block(s, s->last_block);
}

/* The blocks that begin at `time` or later are swept, while `innermost` is the innermost open
 * call. */
static void sweep_blocks(struct sweep *s, struct walk_open *innermost, time_ns time)
{
    for (; s->block_start >= time && s->block >= s->first_block; set_block(s, s->block - 1)) {
        const struct block *block = &s->thread->blocks[s->block];
        time_ns lo = clamp(block->start, s->lo, s->hi), hi = clamp(block->end, lo, s->hi);
        if (hi > lo)
            add_blocked(s, block, innermost, lo, hi);
    }
}

/* Nothing of the call's time is spent running: it has a place only if something blocked in it. */
static uint64_t leave_unplaced(struct attribution *a, struct walked_call call)
{
    if (call.depth >= a->unplaced_capacity) {
        a->unplaced_capacity = 2 * call.depth + 16;
        a->unplaced = memory_resize(a->unplaced, sizeof *a->unplaced * a->unplaced_capacity);
    }
    a->unplaced[call.depth] = call;
    return PLACE_NONE;
}

/* The call's running time is its own, and not that of the call around it. */
static inline __attribute__((always_inline)) uint64_t sweep_call(void *context,
                                                                 const struct walked_call *call,
                                                                 const struct walk_open *around,
                                                                 struct walk_open *innermost)
{
    struct sweep *s = context;
    if (call->end <= s->block_start)
        sweep_blocks(s, innermost, call->end);
    if (s->blame && !call->depth)
        cover_call(s, call->start, call->end);
    time_ns lo = call->start > s->lo ? call->start : s->lo;
    time_ns hi = call->inside || call->end < s->hi ? call->end : s->hi;
    time_ns ns = lo < s->block_end ? running_time(s, lo, hi) : hi - lo;
    if (ns <= 0)
        return leave_unplaced(s->a, *call);
    uint64_t place = holds_block(s, call) ? make_place_of_block(s, call, around->tag)
                                          : make_place(s, call, around->tag);
    share_time(s->a, share_of(place, ns, counts_now(s, call)));
    return place;
}

/* Many calls are counted at once on the critical path: each took time, is not cut, began after the
 * last block and has been met in its place before; all others are left. */
static inline __attribute__((always_inline)) uint32_t
sweep_calls(void *context, struct walk_open **innermost, const struct trace_function *calls,
            const struct clock_stretch *times, uint32_t count)
{
    const struct sweep *s = context;
    struct attribution_step *steps = s->steps;
    const time_ns lo = s->block_end > s->lo ? s->block_end : s->lo;
    struct path_share *share = s->a->shares + s->a->share_count;
    const struct path_share *full = s->a->shares + ATTRIBUTION_MOST_SHARES - 1;
    const struct trace_function *call = calls + count;
    const struct clock_stretch *ns = times + count;
    struct walk_open *top = *innermost;
    for (; call > calls && share < full; call--, ns--) {
        time_ns start = ns[-1].start, end = ns[-1].end;
        uint64_t start_ticks = TRACE_HEAD_TICKS(call[-1].head);
        struct walk_open *around = walk_around(top, start_ticks);
        uint64_t key = step_key(around->tag, call[-1].duration_probe & TRACE_PROBE_MAX);
        const struct attribution_step *step = step_at(steps, key);
        if (end > around->room.end || start < lo || end <= start || step->key != key)
            break;
        *share++ = share_of(step->place, end - start, true);
        around->room.end = start;
        top = around + 1;
        top->start_ticks = start_ticks;
        top->tag = step->place;
        memcpy(&top->room, &ns[-1], sizeof top->room); /* in one piece */
    }
    s->a->share_count = (uint32_t)(share - s->a->shares);
    *innermost = top;
    return (uint32_t)(call - calls);
}

/* All running time is that of the top at first. What no call takes is its own, on the critical
 * path; of a waker, it is nobody's. */
static void sweep_all(struct sweep *s)
{
    struct attribution *a = s->a;
    sweep_find_blocks(s);
    s->idle = s->hi;
    interval_table_add(a->table, s->top, running_time(s, s->lo, s->hi));
    uint64_t place = place_of(a->table, s->top, true, true, true);
    if (s->blame)
        span_walk_run(&a->walk, s->thread, s->lo, s->hi, place, sweep_call, s);
    else
        span_walk_run_by(&a->walk, s->thread, s->lo, s->hi, place, sweep_call, sweep_calls, s);
    sweep_blocks(s, a->walk.top, INT64_MIN);
    add_shares(a);
    if (!s->blame)
        return;
    cover_blocks(s, s->lo);
    add_idle(s, s->lo, s->idle);
}

/* A new sweep is on the critical path, and has counted no call yet. Its fields are set one by one,
 * as to clear all of it takes as long as a dozen calls. */
static void sweep_init(struct sweep *s, struct attribution *a, uint32_t thread, time_ns lo,
                       time_ns hi)
{
    s->a = a;
    s->thread = &a->run->threads[thread];
    s->blame = NULL;
    s->top = TABLE_ROOT;
    s->depth = 0;
    s->below_waker = false;
    s->counted = INT64_MAX;
    s->lo = lo;
    s->hi = hi;
    s->table = a->table;
    s->steps = a->steps;
}

#define NOBODY_ELSE UINT32_MAX

/* The callee that stands for the interval of a label where that is not the row's. */
static uint32_t other_interval(struct attribution *a, const struct timeline_thread *thread,
                               int64_t label)
{
    uint32_t interval = label < 0 ? INTERVAL_NONE : thread->labels[label].interval;
    if (interval == INTERVAL_NONE || interval == a->interval)
        return NOBODY_ELSE;
    const char *type = a->run->intervals[interval].type;
    if (type != a->type) {
        struct str name = {0};
        str_printf(&name, type[0] ? "another interval (%s)" : "another interval", type);
        a->of_type = callee_named(a->callees, name.data);
        a->type = type;
        str_release(&name);
    }
    return a->of_type;
}

/* The outermost call that is open at a moment. */
struct peek {
    const struct attribution *a;
    const struct timeline_thread *thread;
    uint32_t function; /* or FUNCTION_NONE */
};

static uint64_t peek_call(void *context, const struct walked_call *call,
                          const struct walk_open *around, struct walk_open *innermost)
{
    struct peek *p = context;
    (void)around, (void)innermost;
    if (call->depth)
        return 0;
    uint32_t callee =
        callee_of_call(p->a->callees, p->thread->process, call->probe, call->target).callee;
    p->function = p->a->callees->items[callee].function;
    return 0;
}

static uint32_t outermost_at(struct attribution *a, uint32_t thread, time_ns time)
{
    struct peek peek = {a, &a->run->threads[thread], FUNCTION_NONE};
    span_walk_run(&a->walk, peek.thread, time - 1, time, 0, peek_call, &peek);
    return peek.function;
}

/* The result is how many functions of the chain are not above those that have a span. */
static uint32_t known_of_chain(const struct caller_chain *chain, uint32_t outermost)
{
    uint32_t i = chain->count;
    if (outermost == FUNCTION_NONE)
        return 0;
    while (i > 0 && chain->functions[i - 1] != outermost)
        i--;
    return i > 0 ? i : chain->count;
}

/* The node that what the waker did hangs below: of the functions that it was in and that have no
 * span, the innermost one above all that have. */
static uint32_t place_waker(struct attribution *a, const struct blame *blame, uint32_t top)
{
    const struct caller_chain *chain = caller_chain_of(a->callees, blame->stack);
    if (!chain->count)
        return top;
    uint32_t known = known_of_chain(chain, outermost_at(a, blame->thread, blame->hi));
    for (uint32_t i = chain->count; i-- > known;) {
        uint32_t callee = callee_of_function(a->callees, chain->functions[i]);
        top = interval_table_node(a->table, top, NODE_WOKEN_BY, callee);
        interval_table_count(a->table, top, 0);
    }
    return top;
}

static void blame_stretch(struct attribution *a, const struct blame *blame, uint32_t other,
                          time_ns lo, time_ns hi)
{
    struct sweep s;
    sweep_init(&s, a, blame->thread, lo, hi);
    s.blame = blame;
    s.top = blame->below;
    s.depth = blame->depth;
    s.steps = a->blamed;
    part_set_clear(&a->blamed_parts);
    if (other != NOBODY_ELSE) {
        s.top = interval_table_node(a->table, blame->below, NODE_FOR_ANOTHER, other);
        interval_table_count(a->table, s.top, 0);
    }
    if (hi == blame->hi) /* before that it served another one, and may have been elsewhere */
        s.top = place_waker(a, blame, s.top);
    s.below_waker = s.top != blame->below && a->table->nodes[s.top].callee == blame->waker;
    sweep_all(&s);
}

/* The segments are swept from the latest to the earliest, as far as the waker served the same at a
 * time. */
static void blame_one(struct attribution *a, const struct blame *blame)
{
    const struct timeline_thread *thread = &a->run->threads[blame->thread];
    int64_t label = timeline_label_near(thread, blame->hi - 1, &a->labels_before[blame->thread]);
    for (time_ns lo, hi = blame->hi; hi > blame->lo; hi = lo) {
        uint32_t other = other_interval(a, thread, label);
        do
            lo = clamp(label < 0 ? blame->lo : thread->labels[label--].time, blame->lo, hi);
        while (lo > blame->lo && other_interval(a, thread, label) == other);
        if (lo < hi)
            blame_stretch(a, blame, other, lo, hi);
    }
}

static void blame_all(struct attribution *a)
{
    while (a->work_count) {
        struct blame blame = a->work[--a->work_count];
        blame_one(a, &blame);
    }
}

void attribution_blame(struct attribution *a, const struct blame *blame)
{
    blame_one(a, blame);
    blame_all(a);
}

uint32_t attribution_gap(struct attribution *a, enum node_kind kind, uint32_t callee, uint32_t site,
                         time_ns ns)
{
    uint32_t node = interval_table_node(a->table, TABLE_ROOT, kind, callee);
    interval_table_add(a->table, node, ns);
    interval_table_count(a->table, node, site);
    return node;
}

void attribution_stretch(struct attribution *a, uint32_t thread, time_ns lo, time_ns hi)
{
    struct counted_calls *counted = &a->counted[thread];
    struct sweep s;
    sweep_init(&s, a, thread, lo, hi);
    if (counted->row == a->row)
        s.counted = counted->lo;
    *counted = (struct counted_calls){a->row, lo};
    sweep_all(&s);
    blame_all(a);
}
