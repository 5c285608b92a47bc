#include "stacks/stack_comparison.h"

#include <math.h>

#include "base/memory.h"
#include "stacks/work_wait.h"

/* ---- the sides ---- */

static void add_sums(struct compared_sum *sum, const struct side_run *run)
{
    const struct context_sum *all = &run->times->sums[CONTEXT_ROOT];
    sum->samples += run->seen->samples;
    sum->offs += run->seen->offs;
    sum->with_stack += run->seen->with_stack;
    sum->recorded += run->until - run->from;
    sum->queued += all->total[TIME_QUEUE];
    sum->could_run += all->total[TIME_QUEUE] + all->total[TIME_RAN];
    sum->queue = sum->could_run ? (double)sum->queued / (double)sum->could_run : 0;
}

static uint64_t requests_of(const struct timelines *run, const bool *chosen)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->interval_count; i++)
        count += run->intervals[i].complete && (!chosen || chosen[i]);
    return count;
}

bool stack_comparison_add(struct stack_comparison *comparison, int side, const struct side_run *run,
                          const bool *chosen)
{
    const struct side_wish wish = {comparison->unit, comparison->blocks, chosen};
    if (!side_blocks_add(&comparison->added[side], run, &wish))
        return false;
    add_sums(&comparison->sums[side], run);
    comparison->sums[side].requests += requests_of(run->run, chosen);
    return true;
}

static bool all_ended(const struct side_run *run)
{
    const struct kernel_side *side = run->run->kernel_side;
    for (uint32_t t = 1; t < side->task_count; t++)
        if (kernel_task_is_of_run(side, t) && thread_time_wall(&run->times->threads[t]) &&
            side->tasks[t].ended == INT64_MAX)
            return false;
    return true;
}

enum change_unit stack_comparison_unit(const struct side_run *run)
{
    if (requests_of(run->run, NULL) >= CHANGE_BLOCKS)
        return CHANGE_A_REQUEST;
    return all_ended(run) ? CHANGE_A_RUN : CHANGE_A_SECOND;
}

/* ---- by unit ---- */

static void find_own(struct stack_comparison *c, int s)
{
    const struct change_side *side = &c->sides[s];
    double units = 0;
    c->own[s] = memory_zeroed(sizeof *c->own[s] * side->tree->count);
    for (uint32_t b = 0; b < side->blocks; b++)
        units += side->units[b];
    for (size_t n = 0; n < side->tree->count; n++)
        for (uint32_t b = 0; b < side->blocks; b++)
            c->own[s][n] += side->own[n * side->blocks + b] / units;
}

static void find_whole(struct stack_comparison *c)
{
    struct unit_side of[2];
    for (int s = 0; s < 2; s++)
        of[s] = (struct unit_side){c->added[s].whole, c->sides[s].units, c->sides[s].blocks,
                                   c->sides[s].run_of_block};
    c->whole = unit_change_of(&of[0], &of[1], CHANGE_BLOCKS, CHANGE_RUNS);
}

/* ---- whose waits ---- */

/* Of the side on which it is longer. */
static const struct side_wait *wait_of(const struct stack_comparison *c,
                                       const struct node_change *change)
{
    int s = change->node[1] != CONTEXT_NONE &&
            (change->node[0] == CONTEXT_NONE || change->own[1] >= change->own[0]);
    return &c->added[s].waits[change->node[s]];
}

bool stack_comparison_for_work(const struct stack_comparison *comparison,
                               const struct node_change *change)
{
    const struct side_wait *wait = wait_of(comparison, change);
    return 2 * wait->for_work > wait->own;
}

bool stack_comparison_for_others(const struct stack_comparison *comparison,
                                 const struct node_change *change)
{
    const struct side_wait *wait = wait_of(comparison, change);
    return 2 * wait->for_others > wait->own;
}

/* ---- the place ---- */

/* Of which changes a place is looked for. */
struct looked_for {
    bool surely,
        waits; /* only what surely changed; what threads wait for work, or for each other, too */
};

/* How much more, or less, there is at and below each node. */
static double *told_below(const struct stack_comparison *c, int less, struct looked_for what)
{
    double *below = memory_zeroed(sizeof *below * c->laid.count);
    for (size_t n = c->laid.count; n-- > 0;) {
        const struct laid_node *node = &c->laid.nodes[n];
        const struct node_change *change =
            node->change == CONTEXT_NONE ? NULL : &c->changes.items[node->change];
        bool counts = change && (change->told || !what.surely) && (change->change < 0) == less &&
                      (what.waits || (!stack_comparison_for_work(c, change) &&
                                      !stack_comparison_for_others(c, change)));
        if (counts)
            below[n] += fabs(change->change);
        if (n)
            below[node->parent] += below[n];
    }
    return below;
}

uint32_t stack_comparison_told_as(const struct stack_comparison *comparison, uint32_t node)
{
    const struct laid_node *laid = &comparison->laid.nodes[node];
    int s = laid_node_side(laid);
    return comparison->laid.of[s][context_told_as(comparison->sides[s].tree, laid->node[s])];
}

static uint32_t most_below(const struct stack_comparison *c, const double *below, uint32_t node)
{
    uint32_t most = CONTEXT_NONE;
    for (uint32_t n = node + 1; n < c->laid.count; n++)
        if (c->laid.nodes[n].parent == node && (most == CONTEXT_NONE || below[n] > below[most]))
            most = n;
    return most;
}

/* Downwards, to the innermost node with most of it. */
static uint32_t follow(const struct stack_comparison *c, const double *below)
{
    uint32_t node = CONTEXT_ROOT;
    for (;;) {
        uint32_t next = most_below(c, below, node);
        if (next == CONTEXT_NONE || 2 * below[next] <= below[node])
            break;
        node = next;
    }
    return stack_comparison_told_as(c, node);
}

static uint32_t find_place_among(const struct stack_comparison *c, struct looked_for what)
{
    double *more = told_below(c, 0, what), *less = told_below(c, 1, what);
    const double *below = more[CONTEXT_ROOT] >= less[CONTEXT_ROOT] ? more : less;
    uint32_t place = below[CONTEXT_ROOT] > 0 ? follow(c, below) : CONTEXT_NONE;
    memory_free(more);
    memory_free(less);
    return place;
}

static uint32_t find_place(const struct stack_comparison *c, bool surely)
{
    uint32_t place = find_place_among(c, (struct looked_for){surely, false});
    return place != CONTEXT_NONE ? place : find_place_among(c, (struct looked_for){surely, true});
}

void stack_comparison_make(struct stack_comparison *comparison)
{
    struct stack_comparison *c = comparison;
    for (int s = 0; s < 2; s++) {
        c->sides[s] = side_blocks_finish(&c->added[s]);
        find_own(c, s);
    }
    tree_changes_find(&c->changes, c->sides);
    laid_tree_make(&c->laid, c->sides, &c->changes);
    find_whole(c);
    const struct path_side paths[2] = {{c->sides[0].tree, c->own[0]},
                                       {c->sides[1].tree, c->own[1]}};
    path_changes_find(&c->paths, paths);
    c->place = find_place(c, true);
    c->largest = find_place(c, false);
}

void stack_comparison_release(struct stack_comparison *comparison)
{
    struct stack_comparison *c = comparison;
    path_changes_release(&c->paths);
    laid_tree_release(&c->laid);
    tree_changes_release(&c->changes);
    for (int s = 0; s < 2; s++) {
        side_blocks_release(&c->added[s]);
        memory_free(c->own[s]);
    }
    *c = (struct stack_comparison){0};
}
