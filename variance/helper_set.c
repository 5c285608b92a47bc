#include "variance/helper_set.h"

#include <math.h>

#include "base/hash_map.h"
#include "base/memory.h"

/* A function was called by another one, or by none that is known. */
struct edge {
    uint32_t callee, caller; /* functions */
    double share;
    __int128 ns;
    uint64_t calls;
};

struct edges {
    struct edge *items;
    uint32_t count, capacity;
    struct hash_map at; /* (callee, caller) -> item + 1 */
};

/* What is known of a function from all of its edges. */
struct profile {
    uint32_t callers, callees;
    uint32_t first; /* the edge to the caller of the largest share */
    uint32_t below; /* the last edge to a callee */
    double share;
    __int128 ns;
    uint64_t calls;
};

static struct edge *edge_of(struct edges *edges, uint32_t callee, uint32_t caller)
{
    uint64_t *known = hash_map_put(&edges->at, (uint64_t)callee << 32 | caller);
    if (!*known) {
        VEC_PUSH(edges->items, edges->count, edges->capacity) =
            (struct edge){.callee = callee, .caller = caller};
        *known = edges->count;
    }
    return &edges->items[*known - 1];
}

static void find_edges(struct edges *edges, const struct variance_tree *tree,
                       const struct tree_way *ways)
{
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        uint32_t above = tree_way_caller(tree, ways, n);
        uint32_t caller = above == NODE_NONE ? FUNCTION_NONE : tree->nodes[above].function;
        if (!node->body || caller == node->function)
            continue;
        struct edge *edge = edge_of(edges, node->function, caller);
        edge->share += node->share;
        edge->ns += node->moments.sum;
        edge->calls += node->calls;
    }
}

static struct profile *find_profiles(const struct edges *edges, uint32_t function_count)
{
    struct profile *profiles = memory_zeroed(sizeof *profiles * function_count);
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->items[i];
        struct profile *callee = &profiles[edge->callee];
        if (!callee->callers++ || edge->share > edges->items[callee->first].share)
            callee->first = i;
        callee->share += edge->share;
        callee->ns += edge->ns;
        callee->calls += edge->calls;
        if (edge->caller == FUNCTION_NONE)
            continue;
        profiles[edge->caller].callees++;
        profiles[edge->caller].below = i;
    }
    return profiles;
}

static uint32_t *count_callers(const struct function_table *functions)
{
    uint32_t *callers = memory_zeroed(sizeof *callers * functions->function_count);
    for (uint32_t f = 0; f < functions->function_count; f++)
        for (uint32_t i = 0; i < functions->functions[f].callee_count; i++)
            callers[functions->functions[f].callees[i]] += functions->functions[f].callees[i] != f;
    return callers;
}

/* What it calls is nobody else's, and calls nothing. */
static bool is_low(const struct edges *edges, const struct profile *profiles, uint32_t function)
{
    const struct profile *p = &profiles[function];
    if (!p->callees)
        return true;
    const struct profile *below = &profiles[edges->items[p->below].callee];
    return p->callees == 1 && below->callers == 1 && !below->callees;
}

/* A call of it takes as long as its caller says: on the calls that the variance comes from, much
 * longer than on a call of any caller. */
static bool depends_on_caller(const struct edges *edges, uint32_t function, const struct profile *p)
{
    double weighted = 0, shares = 0;
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->items[i];
        if (edge->callee != function || !edge->calls || edge->share <= 0)
            continue;
        shares += edge->share;
        weighted += edge->share * (double)edge->ns / (double)edge->calls;
    }
    double mean = (double)p->ns / (double)p->calls;
    return p->calls && weighted >= HELPER_TIMES * mean * shares;
}

/* Its only caller does hardly anything else. */
static bool wraps(const struct edges *edges, const struct profile *profiles,
                  const struct profile *p)
{
    return p->share >= HELPER_WRAPPED * profiles[edges->items[p->first].caller].share;
}

/* Two callers, of which it takes most of the time, and how they vary together. */
static bool pair_moves(const struct variance_tree *tree, const struct tree_covariance *pair)
{
    double a = tree->nodes[pair->a].variance_ns2, b = tree->nodes[pair->b].variance_ns2;
    return pair->covariance_ns2 > 0 && pair->covariance_ns2 >= HELPER_TOGETHER * sqrt(a * b);
}

static bool takes_most(const struct variance_tree *tree, uint32_t caller, uint32_t function)
{
    double share = 0;
    for (uint32_t c = tree->nodes[caller].first_child; c != NODE_NONE;
         c = tree->nodes[c].next_sibling)
        if (tree->nodes[c].body && tree->nodes[c].function == function)
            share += tree->nodes[c].share;
    return tree->nodes[caller].body && share > 0 && share >= tree->nodes[caller].share / 2;
}

static bool moves_together(const struct variance_tree *tree, uint32_t function)
{
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (pair->contribution >= HELPER_LEAST && pair_moves(tree, pair) &&
            takes_most(tree, pair->a, function) && takes_most(tree, pair->b, function))
            return true;
    }
    return false;
}

static bool is_helper(const struct variance_tree *tree, const struct edges *edges,
                      const struct profile *profiles, const uint32_t *callers, uint32_t function)
{
    const struct profile *p = &profiles[function];
    if (!p->callers || p->share < HELPER_LEAST || !is_low(edges, profiles, function) ||
        edges->items[p->first].caller == FUNCTION_NONE)
        return false;
    if (p->callers == 1)
        return !p->callees && callers[function] > 1 && wraps(edges, profiles, p);
    return depends_on_caller(edges, function, p) || moves_together(tree, function);
}

void helper_set_init(struct helper_set *set, const struct variance_tree *tree,
                     const struct tree_way *ways, const struct function_table *functions)
{
    uint32_t count = functions->function_count;
    struct edges edges = {0};
    find_edges(&edges, tree, ways);
    struct profile *profiles = find_profiles(&edges, count);
    uint32_t *callers = count_callers(functions);
    set->is_helper = memory_zeroed(sizeof *set->is_helper * count);
    for (uint32_t f = 0; f < count; f++)
        set->is_helper[f] = is_helper(tree, &edges, profiles, callers, f);
    memory_free(callers);
    memory_free(profiles);
    memory_free(edges.items);
    hash_map_release(&edges.at);
}

void helper_set_release(struct helper_set *set)
{
    memory_free(set->is_helper);
    *set = (struct helper_set){0};
}
