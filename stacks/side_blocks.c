#include "stacks/side_blocks.h"

#include "base/memory.h"
#include "base/number_sort.h"
#include "stacks/group_name.h"

#define SECOND_NS 1e9

enum { KINDS = 2 }; /* TIME_RAN and TIME_OFF */

/* A run that is added. */
struct adding_run {
    struct side_blocks *side;
    const struct side_run *of;
    time_ns borders[CHANGE_BLOCKS + 1];
    double *weights; /* [(node * KINDS + kind) * CHANGE_BLOCKS + block], of the folded tree */
};

/* ---- blocks ---- */

/* Where requests ended, in order. */
static int64_t *request_ends(const struct timelines *run, size_t *count)
{
    int64_t *ends = memory_alloc(sizeof *ends * (run->interval_count + 1));
    *count = 0;
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete && run->intervals[i].end >= 0)
            ends[(*count)++] = run->intervals[i].end;
    number_sort(ends, *count);
    return ends;
}

static void add_block(struct side_blocks *side, double units)
{
    VEC_PUSH(side->units, side->blocks, side->unit_capacity) = units;
    VEC_PUSH(side->run_of_block, side->run_count_of_blocks, side->run_capacity) = side->runs;
}

/* The first block begins with the run, and the last one ends with it. */
static bool border_by_requests(struct adding_run *a)
{
    size_t count;
    int64_t *ends = request_ends(a->of->run, &count);
    for (size_t b = 1; b < CHANGE_BLOCKS && count >= CHANGE_BLOCKS; b++)
        a->borders[b] = ends[count * b / CHANGE_BLOCKS - 1];
    for (size_t b = 0; b < CHANGE_BLOCKS && count >= CHANGE_BLOCKS; b++)
        add_block(a->side, (double)(count * (b + 1) / CHANGE_BLOCKS - count * b / CHANGE_BLOCKS));
    memory_free(ends);
    return count >= CHANGE_BLOCKS;
}

static bool border_by_time(struct adding_run *a, enum change_unit unit)
{
    time_ns from = a->of->from, whole = a->of->until - from;
    double units = unit == CHANGE_A_RUN ? 1 : (double)whole / SECOND_NS;
    for (int b = 1; b < CHANGE_BLOCKS; b++)
        a->borders[b] = from + whole / CHANGE_BLOCKS * b;
    for (int b = 0; b < CHANGE_BLOCKS && whole > 0; b++)
        add_block(a->side, units / CHANGE_BLOCKS);
    return whole > 0;
}

/* ---- what fell into them ---- */

static uint32_t block_at(const struct adding_run *a, time_ns time)
{
    uint32_t block = 0;
    while (block + 1 < CHANGE_BLOCKS && a->borders[block + 1] <= time)
        block++;
    return block;
}

static double *weights_of(const struct adding_run *a, uint32_t node, enum context_time kind)
{
    uint32_t own = context_fold_own(&a->of->times->fold, node);
    return a->weights + ((size_t)own * KINDS + kind) * CHANGE_BLOCKS;
}

static void add_off(struct adding_run *a, uint32_t node, const struct off_cpu *off, double weight)
{
    double *weights = weights_of(a, node, TIME_OFF);
    time_ns from = off->out;
    for (uint32_t b = block_at(a, from); from < off->woken; b++) {
        bool last = b + 1 >= CHANGE_BLOCKS || a->borders[b + 1] >= off->woken;
        time_ns to = last ? off->woken : a->borders[b + 1];
        weights[b] += weight * (double)(to - from);
        from = to;
    }
}

static void add_task(struct adding_run *a, uint32_t task)
{
    struct context_times *times = a->of->times;
    const struct task_sightings *seen = &a->of->seen->tasks[task];
    const struct kernel_task *of = &a->of->run->kernel_side->tasks[task];
    uint32_t group_node = times->group_node[a->of->groups->of_task[task]];
    for (size_t i = 0; i < seen->count; i++) {
        const struct sighting *s = &seen->items[i];
        if (s->node == CONTEXT_NONE)
            continue;
        uint32_t node = context_fold_node(&times->fold, group_node, s->node, s->cut);
        if (s->kind == SIGHTING_RAN)
            weights_of(a, node, TIME_RAN)[block_at(a, s->time)] += (double)s->amount_ns;
        else
            add_off(a, node, s->off < of->off_count ? &of->offs[s->off] : &of->open, s->one_in);
    }
}

/* ---- own times ---- */

/* By the weights, or where there are none by the length of the blocks. */
static void share_out(struct adding_run *a, uint32_t node, double own, const double *weights)
{
    struct side_blocks *side = a->side;
    double sum = 0, whole = (double)(a->borders[CHANGE_BLOCKS] - a->borders[0]);
    for (int b = 0; b < CHANGE_BLOCKS; b++)
        sum += weights[b];
    for (int b = 0; b < CHANGE_BLOCKS && own > 0; b++) {
        double length = (double)(a->borders[b + 1] - a->borders[b]);
        double part = sum > 0 ? weights[b] / sum : length / whole;
        uint32_t block = (uint32_t)(side->blocks - CHANGE_BLOCKS) + (uint32_t)b;
        if (part > 0)
            VEC_PUSH(side->cells, side->cell_count, side->cell_capacity) =
                (struct side_cell){node, block, own * part};
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

/* The nodes of the run's tree have these of the side's. */
static uint32_t *add_nodes(struct side_blocks *side, const struct side_run *run)
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

static void add_cells(struct adding_run *a)
{
    const struct context_times *times = a->of->times;
    uint32_t *to = add_nodes(a->side, a->of);
    for (size_t n = 1; n < times->fold.tree.count; n++)
        for (int kind = 0; kind < KINDS; kind++)
            share_out(a, to[n], (double)times->sums[n].own[kind],
                      a->weights + (n * KINDS + (size_t)kind) * CHANGE_BLOCKS);
    memory_free(to);
}

bool side_blocks_add(struct side_blocks *side, const struct side_run *run, enum change_unit unit)
{
    struct adding_run a = {.side = side, .of = run};
    if (!side->tree.count)
        context_tree_init(&side->tree);
    a.borders[0] = run->from;
    a.borders[CHANGE_BLOCKS] = run->until;
    if (unit == CHANGE_A_REQUEST ? !border_by_requests(&a) : !border_by_time(&a, unit))
        return false;
    a.weights =
        memory_zeroed(sizeof *a.weights * run->times->fold.tree.count * KINDS * CHANGE_BLOCKS);
    for (uint32_t t = 1; t < run->seen->task_count; t++)
        if (kernel_task_is_of_run(run->run->kernel_side, t))
            add_task(&a, t);
    add_cells(&a);
    side->runs++;
    memory_free(a.weights);
    return true;
}

struct change_side side_blocks_finish(struct side_blocks *side)
{
    if (!side->tree.count)
        context_tree_init(&side->tree);
    side->own = memory_zeroed(sizeof *side->own * side->tree.count * (side->blocks + 1));
    for (size_t i = 0; i < side->cell_count; i++)
        side->own[side->cells[i].node * side->blocks + side->cells[i].block] += side->cells[i].own;
    return (struct change_side){&side->tree, side->own, side->units, (uint32_t)side->blocks,
                                side->run_of_block};
}

void side_blocks_release(struct side_blocks *side)
{
    if (side->tree.count)
        context_tree_release(&side->tree);
    memory_free(side->cells);
    memory_free(side->units);
    memory_free(side->run_of_block);
    memory_free(side->own);
    *side = (struct side_blocks){0};
}
