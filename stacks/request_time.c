#include "stacks/request_time.h"

#include <math.h>

#include "base/memory.h"
#include "stats/jackknife.h"
#include "stats/student.h"

#define OUTSIDE 0.05

/* What is below a node is its own, too. */
static double *totals_of(const struct change_side *side)
{
    const struct context_tree *tree = side->tree;
    double *totals = memory_alloc(sizeof *totals * (tree->count * side->blocks + 1));
    for (size_t i = 0; i < tree->count * side->blocks; i++)
        totals[i] = side->own[i];
    for (size_t n = tree->count; n-- > 1;)
        for (uint32_t b = 0; b < side->blocks; b++)
            totals[tree->nodes[n].parent * side->blocks + b] += totals[n * side->blocks + b];
    return totals;
}

/* Half of the interval, as a part of the mean. */
static double half_of(const double *own, const double *units, uint32_t blocks)
{
    double left_out[CHANGE_BLOCKS], sum = 0, all = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        sum += own[b];
        all += units[b];
    }
    for (uint32_t b = 0; b < blocks; b++)
        left_out[b] = (sum - own[b]) / (all - units[b]);
    return sum > 0 ? student_beyond(OUTSIDE, blocks - 1) * jackknife_error(left_out, blocks) /
                         (sum / all)
                   : INFINITY;
}

static bool is_cut(const struct context_fold *fold, uint32_t node)
{
    for (; node != CONTEXT_ROOT; node = fold->tree.nodes[node].parent)
        if (context_fold_is(fold, node) == CONTEXT_CUT)
            return true;
    return false;
}

static void fill(struct request_times *times, const struct side_run *run, struct side_blocks *side)
{
    const struct change_side of = side_blocks_finish(side);
    const struct context_fold *fold = &run->times->fold;
    uint32_t *to = side_blocks_nodes(side, run);
    double *totals = totals_of(&of);
    times->items = memory_alloc(sizeof *times->items * fold->tree.count);
    for (uint32_t n = 0; n < fold->tree.count; n++) {
        const struct context_sum *sum = &run->times->sums[n];
        double mean =
            (double)(sum->total[TIME_RAN] + sum->total[TIME_OFF]) / (double)times->requests;
        const double *own = &totals[(size_t)to[n] * of.blocks];
        times->items[n] = (struct request_time){
            mean, is_cut(fold, n) ? INFINITY : mean * half_of(own, of.units, of.blocks)};
    }
    memory_free(totals);
    memory_free(to);
}

bool request_times_find(struct request_times *times, const struct side_run *run)
{
    struct side_blocks side = {0};
    *times = (struct request_times){0};
    const struct side_wish wish = {.unit = CHANGE_A_REQUEST, .blocks = CHANGE_BLOCKS};
    bool enough = side_blocks_add(&side, run, &wish);
    for (size_t b = 0; b < side.blocks; b++)
        times->requests += (uint64_t)side.units[b];
    if (enough)
        fill(times, run, &side);
    side_blocks_release(&side);
    return enough;
}

void request_times_release(struct request_times *times)
{
    memory_free(times->items);
    *times = (struct request_times){0};
}
