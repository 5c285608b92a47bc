#include "stacks/side_blocks.h"

#include "base/memory.h"
#include "stacks/block_stretches.h"
#include "stacks/group_name.h"
#include "stacks/request_blocks.h"
#include "stacks/work_wait.h"

#define SECOND_NS 1e9

enum { KINDS = 3 }; /* TIME_RAN, TIME_OFF and TIME_QUEUE */

/* A run that is added. Rows have a column more than there are blocks: what is in none. */
struct adding_run {
    struct side_blocks *side;
    const struct side_run *of;
    const struct side_wish *wish;
    struct request_blocks requests;
    struct block_stretches stretches; /* of the task that is looked at, or of all */
    uint32_t blocks;
    double *weights;   /* [(node * KINDS + kind) * (blocks + 1) + block], of the folded tree */
    uint32_t *special; /* [group * CONTEXT_SPECIALS + special]: its node, or CONTEXT_NONE */
};

/* ---- blocks ---- */

static void add_block(struct side_blocks *side, double units, double whole)
{
    VEC_PUSH(side->units, side->blocks, side->unit_capacity) = units;
    VEC_PUSH(side->whole, side->whole_count, side->whole_capacity) = whole;
    VEC_PUSH(side->run_of_block, side->run_count_of_blocks, side->run_capacity) = side->runs;
}

static bool begin_requests(struct adding_run *a)
{
    if (!request_blocks_fill(&a->requests, a->of->run, a->wish->chosen, a->blocks))
        return false;
    for (uint32_t b = 0; b < a->blocks; b++)
        add_block(a->side, a->requests.requests[b], a->requests.latency[b]);
    return true;
}

static bool begin_time(struct adding_run *a)
{
    time_ns length = a->of->until - a->of->from;
    double units = a->wish->unit == CHANGE_A_RUN ? 1 : (double)length / SECOND_NS;
    if (length <= 0)
        return false;
    block_stretches_by_time(&a->stretches, a->of->from, a->of->until, a->blocks);
    for (uint32_t b = 0; b < a->blocks; b++)
        add_block(a->side, units / a->blocks, 0);
    return true;
}

/* ---- what fell into them ---- */

static double *weights_of(const struct adding_run *a, uint32_t node, enum context_time kind)
{
    return a->weights + ((size_t)node * KINDS + kind) * (a->blocks + 1);
}

static uint32_t special_of(const struct adding_run *a, uint32_t group, enum context_special special)
{
    return a->special[(size_t)group * CONTEXT_SPECIALS + special];
}

static void find_specials(struct adding_run *a)
{
    const struct context_fold *fold = &a->of->times->fold;
    size_t count = (a->of->groups->count + 1) * CONTEXT_SPECIALS;
    a->special = memory_alloc(sizeof *a->special * count);
    for (size_t i = 0; i < count; i++)
        a->special[i] = CONTEXT_NONE;
    for (uint32_t n = 1; n < fold->tree.count; n++) {
        enum context_special special = context_fold_is(fold, n);
        if (special != CONTEXT_SPECIALS && fold->tree.nodes[n].depth == 2)
            a->special[context_group_of(a->of->times, n) * CONTEXT_SPECIALS + special] = n;
    }
}

static void share(const struct adding_run *a, uint32_t node, enum context_time kind, time_ns from,
                  time_ns to, double weight)
{
    if (node != CONTEXT_NONE && from < to)
        block_stretches_share(&a->stretches, from, to, weight, weights_of(a, node, kind));
}

/* `node`: whose time off it is; CONTEXT_NONE: its stack is not known. */
static void add_off(const struct adding_run *a, uint32_t group, uint32_t node,
                    const struct off_cpu *off, uint32_t one_in)
{
    if (node == CONTEXT_NONE)
        share(a, special_of(a, group, CONTEXT_NO_STACK), TIME_OFF, off->out, off->woken, 1);
    else
        share(a, node, TIME_OFF, off->out, off->woken, one_in);
    if (a->requests.count)
        share(a, special_of(a, group, CONTEXT_QUEUE), TIME_QUEUE, off->woken, off->in, 1);
}

static void add_sighting(struct adding_run *a, uint32_t task, const struct sighting *s)
{
    struct context_times *times = a->of->times;
    const struct kernel_task *of = &a->of->run->kernel_side->tasks[task];
    uint32_t group = a->of->groups->of_task[task], own = CONTEXT_NONE;
    if (s->node != CONTEXT_NONE)
        own =
            context_fold_own(&times->fold, context_fold_node(&times->fold, times->group_node[group],
                                                             s->node, s->cut));
    if (s->kind == SIGHTING_OFF)
        add_off(a, group, own, s->off < of->off_count ? &of->offs[s->off] : &of->open, s->one_in);
    else if (own != CONTEXT_NONE)
        weights_of(a, own, TIME_RAN)[block_stretches_at(&a->stretches, s->time)] +=
            (double)s->amount_ns;
}

/* Of requests each task has stretches of its own; one that is no thread of the run has none. */
static void find_stretches(struct adding_run *a, uint32_t task)
{
    uint32_t thread = a->of->run->kernel_side->tasks[task].thread;
    a->stretches.count = 0;
    a->stretches.blocks = a->blocks;
    if (thread != THREAD_NONE)
        block_stretches_of_thread(&a->stretches, a->of->run, thread, a->requests.of, a->blocks);
}

static void add_task(struct adding_run *a, uint32_t task)
{
    const struct task_sightings *seen = &a->of->seen->tasks[task];
    if (a->requests.count)
        find_stretches(a, task);
    for (size_t i = 0; i < seen->count; i++)
        add_sighting(a, task, &seen->items[i]);
}

static void add_tasks(struct adding_run *a)
{
    for (uint32_t t = 1; t < a->of->seen->task_count; t++)
        if (kernel_task_is_of_run(a->of->run->kernel_side, t))
            add_task(a, t);
}

/* ---- own times ---- */

/* By the weights. Where nothing tells when it was, all of it is in one block: its interval is as wide then as it
 * should be. Of requests that block is outside, as most of a run is. */
static void share_out(struct adding_run *a, uint32_t node, double own, double variance,
                      const double *weights)
{
    struct side_blocks *side = a->side;
    double sum = 0;
    for (uint32_t b = 0; b <= a->blocks; b++)
        sum += weights[b];
    bool unknown = sum <= 0 && !a->requests.count;
    for (uint32_t b = 0; b < a->blocks && own > 0; b++) {
        uint32_t block = (uint32_t)(side->blocks - a->blocks) + b;
        double part = sum > 0 ? weights[b] / sum : unknown && b == 0;
        if (part > 0)
            VEC_PUSH(side->cells, side->cell_count, side->cell_capacity) =
                (struct side_cell){node, block, own * part, variance * part};
    }
}

/* Groups are known by their names alone, as their numbers and how many threads they have are those of one
 * run. */
static uint32_t add_group(struct side_blocks *side, const struct side_run *run, uint32_t node)
{
    struct thread_group group = run->groups->items[context_group_of(run->times, node)];
    group.threads = 1;
    char *name = group_name(&group);
    struct context_frame frame = {.function = name, .object = "", .kind = FRAME_NONE};
    uint32_t number = context_frame_add(&side->tree, &frame);
    memory_free(name);
    return number;
}

uint32_t *side_blocks_nodes(struct side_blocks *side, const struct side_run *run)
{
    const struct context_tree *tree = &run->times->fold.tree;
    uint32_t *to = memory_alloc(sizeof *to * tree->count);
    to[CONTEXT_ROOT] = CONTEXT_ROOT;
    for (uint32_t n = 1; n < tree->count; n++) {
        bool group = tree->nodes[n].parent == CONTEXT_ROOT;
        uint32_t frame = group
                             ? add_group(side, run, n)
                             : context_frame_add(&side->tree, &tree->frames[tree->nodes[n].frame]);
        to[n] = context_tree_child(&side->tree, to[tree->nodes[n].parent], frame);
    }
    return to;
}

/* Waits in a request are never for work. */
static void add_wait(struct adding_run *a, const struct work_waits *waits, const uint32_t *to,
                     const struct context_reason *reason)
{
    struct side_blocks *side = a->side;
    const struct context_tree *tree = &a->of->times->fold.tree;
    const struct context_node *told = &tree->nodes[context_told_as(tree, reason->node)];
    if (!reason->own || told->frame == CONTEXT_NONE)
        return;
    uint32_t group = context_group_of(a->of->times, reason->node);
    double own = (double)reason->own;
    bool others = work_wait_is_for_others(waits, reason);
    bool work = !a->requests.count && work_wait_is(waits, group, reason);
    VEC_PUSH(side->waits, side->wait_count, side->wait_capacity) =
        (struct side_wait){to[reason->node], work ? own : 0, others && !work ? own : 0, 0};
}

static void add_waits(struct adding_run *a, const uint32_t *to)
{
    struct side_blocks *side = a->side;
    const struct context_times *times = a->of->times;
    struct work_waits waits;
    work_waits_init(&waits, times, a->of->groups);
    for (size_t i = 0; i < times->reason_count; i++)
        add_wait(a, &waits, to, &times->reasons[i]);
    for (uint32_t n = 1; n < times->fold.tree.count; n++)
        VEC_PUSH(side->waits, side->wait_count, side->wait_capacity) = (struct side_wait){
            .node = to[n],
            .own = (double)(times->sums[n].own[TIME_RAN] + times->sums[n].own[TIME_OFF])};
    work_waits_release(&waits);
}

static void add_cells(struct adding_run *a)
{
    const struct context_times *times = a->of->times;
    uint32_t *to = side_blocks_nodes(a->side, a->of);
    int kinds = a->requests.count ? KINDS : KINDS - 1;
    for (uint32_t n = 1; n < times->fold.tree.count; n++)
        for (int kind = 0; kind < kinds; kind++)
            share_out(a, to[n], (double)times->sums[n].own[kind],
                      kind <= TIME_OFF ? times->sums[n].own_variance[kind] : 0,
                      weights_of(a, n, (enum context_time)kind));
    add_waits(a, to);
    memory_free(to);
}

static void add_run(struct adding_run *a)
{
    find_specials(a);
    a->weights =
        memory_zeroed(sizeof *a->weights * a->of->times->fold.tree.count * KINDS * (a->blocks + 1));
    add_tasks(a);
    add_cells(a);
    a->side->runs++;
    memory_free(a->weights);
    memory_free(a->special);
}

bool side_blocks_add(struct side_blocks *side, const struct side_run *run,
                     const struct side_wish *wish)
{
    struct adding_run a = {.side = side, .of = run, .wish = wish, .blocks = wish->blocks};
    if (!side->tree.count)
        context_tree_init(&side->tree);
    bool ok = wish->unit == CHANGE_A_REQUEST ? begin_requests(&a) : begin_time(&a);
    if (ok)
        add_run(&a);
    request_blocks_release(&a.requests);
    block_stretches_release(&a.stretches);
    return ok;
}

/* Where there are no requests, the whole is what all contexts have. */
static void find_whole(struct side_blocks *side)
{
    bool latencies = false;
    for (size_t b = 0; b < side->blocks; b++)
        latencies = latencies || side->whole[b] > 0;
    for (size_t i = 0; i < side->cell_count && !latencies; i++)
        side->whole[side->cells[i].block] += side->cells[i].own;
}

static void sum_waits(struct side_blocks *side)
{
    struct side_wait *sums = memory_zeroed(sizeof *sums * side->tree.count);
    for (size_t i = 0; i < side->wait_count; i++) {
        struct side_wait *sum = &sums[side->waits[i].node];
        sum->for_work += side->waits[i].for_work;
        sum->for_others += side->waits[i].for_others;
        sum->own += side->waits[i].own;
    }
    memory_free(side->waits);
    side->waits = sums;
    side->wait_count = side->wait_capacity = side->tree.count;
}

struct change_side side_blocks_finish(struct side_blocks *side)
{
    if (!side->tree.count)
        context_tree_init(&side->tree);
    side->own = memory_zeroed(sizeof *side->own * side->tree.count * (side->blocks + 1));
    side->variance = memory_zeroed(sizeof *side->variance * side->tree.count * (side->blocks + 1));
    for (size_t i = 0; i < side->cell_count; i++) {
        const struct side_cell *cell = &side->cells[i];
        side->own[cell->node * side->blocks + cell->block] += cell->own;
        side->variance[cell->node * side->blocks + cell->block] += cell->variance;
    }
    find_whole(side);
    sum_waits(side);
    return (struct change_side){.tree = &side->tree,
                                .own = side->own,
                                .units = side->units,
                                .blocks = (uint32_t)side->blocks,
                                .run_of_block = side->run_of_block,
                                .variance = side->variance};
}

void side_blocks_release(struct side_blocks *side)
{
    if (side->tree.count)
        context_tree_release(&side->tree);
    memory_free(side->cells);
    memory_free(side->units);
    memory_free(side->waits);
    memory_free(side->whole);
    memory_free(side->run_of_block);
    memory_free(side->own);
    memory_free(side->variance);
    *side = (struct side_blocks){0};
}
