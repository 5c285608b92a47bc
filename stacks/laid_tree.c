#include "stacks/laid_tree.h"

#include <math.h>

#include "base/memory.h"

struct laying {
    struct laid_tree *laid;
    const struct change_side *sides;
    const struct tree_changes *changes;
};

/* It is told at another node of its side, above it. */
static bool is_joined(const struct laying *l, int s, uint32_t node)
{
    uint32_t change = l->changes->change_of[s][node];
    return change != CONTEXT_NONE && l->changes->items[change].node[s] != node;
}

static uint32_t add(struct laying *l, int s, uint32_t node)
{
    uint32_t parent = l->sides[s].tree->nodes[node].parent;
    struct laid_node laid = {.parent = CONTEXT_NONE,
                             .node = {CONTEXT_NONE, CONTEXT_NONE},
                             .change = l->changes->change_of[s][node]};
    if (parent != CONTEXT_NONE) {
        laid.parent = l->laid->of[s][parent];
        laid.depth = l->laid->nodes[laid.parent].depth + 1;
    }
    laid.node[s] = node;
    VEC_PUSH(l->laid->nodes, l->laid->count, l->laid->capacity) = laid;
    return (uint32_t)l->laid->count - 1;
}

/* B's first, so that A's nodes find theirs. */
static void lay_side(struct laying *l, int s)
{
    const struct tree_match *match = &l->changes->match;
    size_t count = l->sides[s].tree->count;
    l->laid->of[s] = memory_alloc(sizeof *l->laid->of[s] * count);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t other = match->other[s][n], *of = &l->laid->of[s][n];
        if (s == 0 && other != CONTEXT_NONE)
            *of = l->laid->of[1][other];
        else if (other == CONTEXT_NONE && is_joined(l, s, n))
            *of = l->laid->of[s][match->above[s][n]];
        else
            *of = add(l, s, n);
        if (other != CONTEXT_NONE)
            l->laid->nodes[*of].node[s] = n;
    }
}

/* Where the own time of a side's node is told. */
static uint32_t told_at(const struct laying *l, int s, uint32_t node)
{
    uint32_t change = l->changes->change_of[s][node];
    if (change == CONTEXT_NONE)
        return l->laid->of[s][node];
    const uint32_t *of = l->changes->items[change].node;
    return of[1] != CONTEXT_NONE ? l->laid->of[1][of[1]] : l->laid->of[0][of[0]];
}

/* Of times, or variances, by node and block; NULL: of none. */
static double *sum_below(const struct laying *l, int s, const double *of)
{
    const struct change_side *side = &l->sides[s];
    double *rows = memory_zeroed(sizeof *rows * l->laid->count * side->blocks);
    for (uint32_t n = 0; of && n < side->tree->count; n++)
        for (uint32_t b = 0; b < side->blocks; b++)
            rows[(size_t)told_at(l, s, n) * side->blocks + b] += of[(size_t)n * side->blocks + b];
    for (size_t n = l->laid->count; n-- > 1;)
        for (uint32_t b = 0; b < side->blocks; b++)
            rows[(size_t)l->laid->nodes[n].parent * side->blocks + b] += rows[n * side->blocks + b];
    return rows;
}

static double error_of(const struct change_side *side, const double *variances)
{
    double units = 0, variance = 0;
    for (uint32_t b = 0; b < side->blocks; b++) {
        units += side->units[b];
        variance += variances[b];
    }
    return sqrt(variance) / units;
}

static void find_below(const struct laying *l)
{
    double *rows[2], *open[2];
    for (int s = 0; s < 2; s++) {
        rows[s] = sum_below(l, s, l->sides[s].own);
        open[s] = sum_below(l, s, l->sides[s].variance);
    }
    for (size_t n = 0; n < l->laid->count; n++) {
        struct unit_side of[2];
        for (int s = 0; s < 2; s++) {
            const struct change_side *side = &l->sides[s];
            of[s] = (struct unit_side){rows[s] + n * side->blocks, side->units, side->blocks,
                                       side->run_of_block};
        }
        struct unit_change *below = &l->laid->nodes[n].below;
        *below = unit_change_of(&of[0], &of[1], CHANGE_BLOCKS, CHANGE_RUNS);
        unit_change_widen(below, hypot(error_of(&l->sides[0], open[0] + n * l->sides[0].blocks),
                                       error_of(&l->sides[1], open[1] + n * l->sides[1].blocks)));
    }
    for (int s = 0; s < 2; s++) {
        memory_free(rows[s]);
        memory_free(open[s]);
    }
}

void laid_tree_make(struct laid_tree *laid, const struct change_side sides[2],
                    const struct tree_changes *changes)
{
    struct laying l = {laid, sides, changes};
    *laid = (struct laid_tree){0};
    lay_side(&l, 1);
    lay_side(&l, 0);
    find_below(&l);
}

void laid_tree_release(struct laid_tree *laid)
{
    memory_free(laid->nodes);
    memory_free(laid->of[0]);
    memory_free(laid->of[1]);
    *laid = (struct laid_tree){0};
}
