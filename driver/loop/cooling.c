#include "driver/loop/cooling.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A function that has no more than this part of the calls that may be timed would save nothing if
 * it were left out (chosen). */
#define SELDOM_PART 0.01
/* A part of those calls is left: just enough would be too many the next time (chosen). */
#define ROOM_PART 0.9

/* A part of the intervals' mean latency counts for half of one of the variance (chosen). What takes
 * a good part of their time may vary in another window, though it did not in this one, where a few
 * intervals may have had all of the variance. */
#define MEAN_COUNTS 0.5
struct part {
    double variance, mean;
};

static struct part part_of(const struct variance_tree *tree, const struct tree_node *node)
{
    double all = (double)tree->nodes[0].moments.sum;
    return (struct part){node->contribution, all > 0 ? (double)node->moments.sum / all : 0};
}

/* A caller that calls the callee now and then decides when, and is worth its name, where that costs
 * no more than one call an interval. */
static bool decides_when(const struct variance_tree *tree, const struct tree_node *callee,
                         const struct tree_node *caller)
{
    return 2 * callee->calls < caller->calls && caller->calls <= tree->intervals.count;
}

/* The callee is timed by itself, not as what the caller calls through a pointer. */
static bool stands_for(const struct refine_loop *loop, const struct variance_tree *tree,
                       const struct tree_node *callee, const struct tree_node *caller)
{
    return callee->kind == caller->kind && callee->function != FUNCTION_NONE &&
           callee->function != caller->function && loop->timed[callee->function] &&
           !decides_when(tree, callee, caller);
}

/* A function passes on the part of one of its callees: left out, one that only passes on would lose
 * its name, and the callee stands in its place. */
static struct part passed_on(const struct refine_loop *loop, const struct variance_tree *tree,
                             const struct tree_node *node)
{
    struct part greatest = {0};
    for (uint32_t i = node->first_child; i != NODE_NONE; i = tree->nodes[i].next_sibling) {
        const struct tree_node *child = &tree->nodes[i];
        struct part part = part_of(tree, child);
        if (!stands_for(loop, tree, child, node))
            continue;
        greatest.variance = fmax(greatest.variance, part.variance);
        greatest.mean = fmax(greatest.mean, part.mean);
    }
    return greatest;
}

static void add_part(const struct refine_loop *loop, const struct variance_tree *tree,
                     const struct tree_node *node, struct part *sum)
{
    struct part part = part_of(tree, node), passed = passed_on(loop, tree, node);
    sum->variance += fmax(part.variance - passed.variance, 0);
    sum->mean += fmax(part.mean - passed.mean, 0);
}

/* A function contributes what all its nodes do, also where it woke others, beyond what they pass
 * on: to the variance, or what the mean counts for, the greater. One that stands below itself is
 * counted more than once, and rather timed. */
static double *contributions(const struct refine_loop *loop, const struct variance_tree *tree)
{
    uint32_t count = loop->table->function_count;
    struct part *sums = memory_zeroed((count + 1) * sizeof *sums);
    double *greater = memory_zeroed((count + 1) * sizeof *greater);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if ((node->kind == NODE_FUNCTION || node->kind == NODE_WOKEN_BY) &&
            node->function != FUNCTION_NONE)
            add_part(loop, tree, node, &sums[node->function]);
    }
    for (uint32_t i = 0; i < count; i++)
        greater[i] = fmax(sums[i].variance, MEAN_COUNTS * sums[i].mean);
    memory_free(sums);
    return greater;
}

/* Counts the calls of each function, as its nodes tell, and the calls in it that have no body. */
static uint64_t *tree_calls(const struct refine_loop *loop, const struct variance_tree *tree)
{
    uint64_t *calls = memory_zeroed((loop->table->function_count + 1) * sizeof *calls);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->kind != NODE_FUNCTION && node->kind != NODE_CALL)
            continue;
        uint32_t function =
            node->kind == NODE_CALL ? tree->nodes[node->parent].function : node->function;
        if (function != FUNCTION_NONE)
            calls[function] += node->calls;
    }
    return calls;
}

/* Tells whether a function that stays timed, since it matters, stands above the node. */
static bool is_below(const struct refine_loop *loop, const struct variance_tree *tree,
                     const double *vain, uint32_t node)
{
    bool below = false;
    for (uint32_t i = tree->nodes[node].parent; i && !below; i = tree->nodes[i].parent) {
        uint32_t function = tree->nodes[i].function;
        below = tree->nodes[i].kind == NODE_FUNCTION && function != FUNCTION_NONE &&
                loop->timed[function] && vain[function] <= 0;
    }
    return below;
}

/* A function that holds an annotation may be left out where another one stands above each of its
 * nodes: its time is that one's own then; at the top it would be no function's. */
static void keep_annotated(const struct refine_loop *loop, const struct variance_tree *tree,
                           double *vain)
{
    uint32_t count = loop->table->function_count;
    bool *below = memory_zeroed(count + 1), *top = memory_zeroed(count + 1);
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].kind == NODE_FUNCTION && tree->nodes[i].function != FUNCTION_NONE)
            (is_below(loop, tree, vain, i) ? below : top)[tree->nodes[i].function] = true;
    for (uint32_t i = 0; i < count; i++)
        if (loop->table->functions[i].marks && (top[i] || !below[i]))
            vain[i] = 0;
    memory_free(below);
    memory_free(top);
}

/* A function's calls are in vain as far as leaving it out would save them, the less the nearer to d
 * it contributes; 0 where it matters or has to be timed. */
static double *calls_in_vain(const struct refine_loop *loop, const struct variance_tree *tree,
                             const uint64_t *calls, double d)
{
    double *vain = contributions(loop, tree);
    for (uint32_t i = 0; i < loop->table->function_count; i++)
        vain[i] = loop->timed[i] && vain[i] < d ? (double)calls[i] * (1 - vain[i] / d) : 0;
    keep_annotated(loop, tree, vain);
    return vain;
}

static void leave_out(struct refine_loop *loop, uint32_t function)
{
    loop->hot[function] = true;
    loop->timed[function] = loop->opened[function] = false;
}

static bool cool_down(struct refine_loop *loop, const uint64_t *calls, double *vain, double most)
{
    uint32_t count = loop->table->function_count;
    double all = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        all += loop->timed[i] ? (double)calls[i] : 0;
    for (double until = all > most ? ROOM_PART * most : all; all > until; any = true) {
        uint32_t hottest = 0;
        for (uint32_t i = 1; i < count; i++)
            hottest = vain[i] > vain[hottest] ? i : hottest;
        if (vain[hottest] <= SELDOM_PART * most)
            break;
        all -= (double)calls[hottest];
        vain[hottest] = 0;
        leave_out(loop, hottest);
    }
    return any;
}

bool refine_loop_cool(struct refine_loop *loop, const struct variance_tree *tree,
                      const uint64_t *calls, double most, double d)
{
    uint64_t *of_tree = calls ? NULL : tree_calls(loop, tree);
    double *vain = calls_in_vain(loop, tree, calls ? calls : of_tree, d);
    bool any = cool_down(loop, calls ? calls : of_tree, vain, most);
    memory_free(vain);
    memory_free(of_tree);
    return any;
}
