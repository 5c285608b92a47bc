#include "driver/loop/reach.h"

#include <string.h>

#include "base/memory.h"

/* A function is one of these to a call that may reach it, the likelier the greater (chosen). */
enum { NAMED_BY_CALLER = 8, NAMED_ABOVE = 4, OF_SAME_FILE = 2, NAMED_ANYWHERE = 1 };

/* A short function has no probe: what it calls stands for it. */
static void count_reached(const struct refine_loop *loop, uint32_t function, uint32_t likely,
                          uint32_t *passed, uint32_t *counts)
{
    const struct function_info *info = &loop->table->functions[function];
    if (!info->body || loop->hot[function] || passed[function] >= likely)
        return;
    passed[function] = likely;
    if (!refine_loop_is_short(loop, function)) {
        if (!loop->timed[function] && counts[function] < likely)
            counts[function] = likely;
        return;
    }
    for (uint32_t i = 0; i < info->callee_count; i++)
        count_reached(loop, info->callees[i], likely, passed, counts);
}

static bool names(const struct refine_loop *loop, uint32_t by, uint32_t function)
{
    const struct function_info *info = &loop->table->functions[by];
    for (uint32_t i = 0; i < info->reference_count; i++)
        if (info->references[i] == function)
            return true;
    return false;
}

static bool is_of_file(const struct function_table *table, uint32_t a, uint32_t b)
{
    return strcmp(table->functions[a].file, table->functions[b].file) == 0;
}

/* Gives the function that holds the call, or is the node; of this thread or of a waker. */
static uint32_t holder_of(const struct refine_loop *loop, const struct variance_tree *tree,
                          uint32_t node)
{
    while (node && (tree->nodes[node].function == FUNCTION_NONE ||
                    !loop->table->functions[tree->nodes[node].function].body))
        node = tree->nodes[node].parent;
    return node;
}

static uint32_t likelihood(const struct refine_loop *loop, const struct variance_tree *tree,
                           uint32_t holder, uint32_t function, enum calls_back calls)
{
    uint32_t caller = tree->nodes[holder].function;
    if (caller != FUNCTION_NONE && names(loop, caller, function))
        return NAMED_BY_CALLER;
    for (uint32_t i = holder; i; i = tree->nodes[i].parent)
        if (tree->nodes[i].function != FUNCTION_NONE &&
            names(loop, tree->nodes[i].function, function))
            return NAMED_ABOVE;
    if (calls != CALLS_ANY)
        return 0;
    bool same = caller != FUNCTION_NONE && is_of_file(loop->table, caller, function);
    return same ? OF_SAME_FILE : NAMED_ANYWHERE;
}

static bool has_child(const struct variance_tree *tree, uint32_t node, uint32_t function)
{
    uint32_t i = tree->nodes[node].first_child;
    while (i != NODE_NONE && tree->nodes[i].function != function)
        i = tree->nodes[i].next_sibling;
    return i != NODE_NONE;
}

static bool is_blocked(const struct variance_tree *tree, uint32_t node)
{
    uint32_t i = tree->nodes[node].first_child;
    while (i != NODE_NONE && tree->nodes[i].kind != NODE_WOKEN_BY)
        i = tree->nodes[i].next_sibling;
    return i != NODE_NONE;
}

bool reach_is_own(const struct tree_node *child)
{
    return child->kind == NODE_BODY || child->kind == NODE_WAIT || child->kind == NODE_IO;
}

/* A node with nothing timed below it has all to itself; what the kernel saw it wait for is the
 * body's, whose calls are not known. */
static double body_contribution(const struct variance_tree *tree, uint32_t node)
{
    double sum = 0;
    for (uint32_t i = tree->nodes[node].first_child; i != NODE_NONE;
         i = tree->nodes[i].next_sibling)
        if (reach_is_own(&tree->nodes[i]))
            sum += tree->nodes[i].contribution;
    return tree->nodes[node].first_child == NODE_NONE ? tree->nodes[node].contribution : sum;
}

static enum calls_back more_of(enum calls_back a, enum calls_back b)
{
    return a > b ? a : b;
}

/* The body counts: it holds calls through what is no plain pointer, and those that could not be
 * edited. */
static enum calls_back body_calls(const struct refine_loop *loop, const struct variance_tree *tree,
                                  uint32_t node, double d)
{
    uint32_t function = tree->nodes[node].function;
    if (function == FUNCTION_NONE || !loop->opened[function] || body_contribution(tree, node) <= d)
        return CALLS_NOBODY;
    const struct function_info *info = &loop->table->functions[function];
    enum calls_back calls = info->indirect_calls ? CALLS_ANY : CALLS_NOBODY;
    for (uint32_t i = 0; i < info->callee_count; i++)
        if (!has_child(tree, node, info->callees[i]))
            calls = more_of(calls, loop->table->functions[info->callees[i]].calls_back);
    return calls;
}

/* Tells whether the node is a call through a pointer that nothing gives a name. */
static bool is_unknown_call(const struct refine_loop *loop, const struct variance_tree *tree,
                            uint32_t node)
{
    uint32_t holder = tree->nodes[holder_of(loop, tree, node)].function;
    return holder != FUNCTION_NONE && loop->table->functions[holder].indirect_calls;
}

static enum calls_back calls_at(const struct refine_loop *loop, const struct variance_tree *tree,
                                uint32_t node, double d)
{
    uint32_t function = tree->nodes[node].function;
    if (tree->nodes[node].kind == NODE_FUNCTION)
        return body_calls(loop, tree, node, d);
    if (tree->nodes[node].kind != NODE_CALL || is_blocked(tree, node))
        return CALLS_NOBODY;
    if (function == FUNCTION_NONE)
        return is_unknown_call(loop, tree, node) ? CALLS_ANY : CALLS_NOBODY;
    return loop->table->functions[function].calls_back;
}

static void count_at(const struct refine_loop *loop, const struct variance_tree *tree,
                     uint32_t node, enum calls_back calls, uint32_t *counts)
{
    uint32_t holder = holder_of(loop, tree, node), count = loop->table->function_count;
    uint32_t *passed = memory_zeroed((count + 1) * sizeof *passed);
    for (uint32_t i = 0; i < count && calls != CALLS_NOBODY; i++) {
        uint32_t likely =
            loop->table->functions[i].referenced ? likelihood(loop, tree, holder, i, calls) : 0;
        if (likely)
            count_reached(loop, i, likely, passed, counts);
    }
    memory_free(passed);
}

void reach_count_given(const struct refine_loop *loop, uint32_t giver, uint32_t *counts)
{
    const struct function_table *table = loop->table;
    uint32_t *passed = memory_zeroed((table->function_count + 1) * sizeof *passed);
    for (uint32_t i = 0; i < table->function_count; i++)
        if (names(loop, giver, i))
            count_reached(loop, i, NAMED_BY_CALLER, passed, counts);
        else if (table->functions[i].referenced && is_of_file(table, giver, i))
            count_reached(loop, i, OF_SAME_FILE, passed, counts);
    memory_free(passed);
}

/* Counts what a waker called, where that matters. */
static void count_wakers(const struct refine_loop *loop, const struct variance_tree *tree,
                         uint32_t parent, double d, uint32_t *counts)
{
    uint32_t i = tree->nodes[parent].first_child;
    for (; i != NODE_NONE; i = tree->nodes[i].next_sibling) {
        const struct tree_node *node = &tree->nodes[i];
        bool woken = node->kind == NODE_WOKEN_BY;
        if ((!woken && node->kind != NODE_FOR_ANOTHER) ||
            (node->contribution <= d && node->share <= d))
            continue;
        if (woken && node->function != FUNCTION_NONE && !is_blocked(tree, i))
            count_at(loop, tree, i, loop->table->functions[node->function].calls_back, counts);
        count_wakers(loop, tree, i, d, counts);
    }
}

void reach_count(const struct refine_loop *loop, const struct variance_tree *tree, uint32_t node,
                 double d, uint32_t *counts)
{
    count_at(loop, tree, node, calls_at(loop, tree, node, d), counts);
    count_wakers(loop, tree, node, d, counts);
}
