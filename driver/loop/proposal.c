#include "driver/loop/proposal.h"

#include <string.h>

#include "base/memory.h"
#include "driver/loop/reach.h"

/* Time may have to be looked for in callers: so many are opened with all that they call (chosen).
 * Where they are more, so many are timed by themselves (chosen): who of them is called then needs
 * no guess. Links of a chain are opened up to a number of their own (chosen). */
enum { MOST_OPENED = 8, MOST_LINKS = 16, MOST_TIMED = 64 };
static bool openable(const struct refine_loop *loop, uint32_t function)
{
    if (function == FUNCTION_NONE || loop->opened[function])
        return false;
    const struct function_info *info = &loop->table->functions[function];
    return refine_loop_can_time(loop, function) &&
           (info->callee_count > 0 || info->indirect_calls || !loop->timed[function]);
}

/* A short function may be called through a pointer: what it calls was not timed with what its
 * caller calls. */
static bool leads_on(const struct refine_loop *loop, uint32_t function)
{
    return function != FUNCTION_NONE && refine_loop_is_short(loop, function) &&
           !loop->opened[function] && !loop->passed[function] &&
           loop->table->functions[function].callee_count > 0;
}

static void propose(struct proposal *proposal, uint32_t function, enum tie tie)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        if (proposal->functions[i] == function)
            return;
    uint32_t ties = proposal->count;
    VEC_PUSH(proposal->ties, ties, proposal->tie_capacity) = tie;
    VEC_PUSH(proposal->functions, proposal->count, proposal->capacity) = function;
}

/* A short or hot function that calls one of `functions` becomes one: its callers stand for it. */
static void add_wrappers(const struct refine_loop *loop, bool *functions)
{
    uint32_t count = loop->table->function_count;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count; i++)
            if (!functions[i] && loop->table->functions[i].body && !refine_loop_can_time(loop, i) &&
                refine_loop_calls_any(loop, i, functions))
                more = functions[i] = true;
    }
}

/* Adds 1 for each function that could be opened for being a caller of `function`. */
static void count_callers(const struct refine_loop *loop, uint32_t function, uint32_t *counts)
{
    uint32_t count = loop->table->function_count;
    bool *called = memory_zeroed(count + 1);
    called[function] = true;
    add_wrappers(loop, called);
    for (uint32_t i = 0; i < count; i++)
        counts[i] += i != function && refine_loop_can_time(loop, i) && !loop->opened[i] &&
                     refine_loop_calls_any(loop, i, called);
    memory_free(called);
}

/* Proposes at most `most` functions, those of the greatest counts first. */
static void propose_counted(const struct refine_loop *loop, uint32_t *counts, uint32_t most,
                            enum tie tie, struct proposal *proposal)
{
    for (uint32_t n = 0; n < most; n++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < loop->table->function_count; i++)
            best = counts[i] > counts[best] ? i : best;
        if (counts[best] == 0)
            return;
        counts[best] = 0;
        propose(proposal, best, tie);
    }
}

static void propose_callers(const struct refine_loop *loop, uint32_t function,
                            struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    count_callers(loop, function, counts);
    propose_counted(loop, counts, MOST_OPENED, TIE_ENDS, proposal);
    memory_free(counts);
}

/* Gives the node after `node` in depth-first order below `top`; NODE_NONE at the end. */
static uint32_t next_below(const struct variance_tree *tree, uint32_t node, uint32_t top)
{
    if (tree->nodes[node].first_child != NODE_NONE)
        return tree->nodes[node].first_child;
    while (node != top && tree->nodes[node].next_sibling == NODE_NONE)
        node = tree->nodes[node].parent;
    return node == top ? NODE_NONE : tree->nodes[node].next_sibling;
}

/* Steps of a waker rise and fall together with the wait that they are all in: a wait's variance may
 * be in none of them alone, and in their covariances with the others. */
static bool waker_matters(const struct tree_node *node, double d)
{
    return node->contribution > d || node->share > d;
}

/* The thread's maker is all that is known of it: the maker is opened, and with it what the thread
 * may have begun in. */
static void propose_makers(const struct refine_loop *loop, struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    for (uint32_t i = 0; i < loop->maker_count; i++) {
        if (openable(loop, loop->makers[i]))
            propose(proposal, loop->makers[i], TIE_MAKES);
        reach_count_given(loop, loop->makers[i], counts);
    }
    propose_counted(loop, counts, MOST_OPENED, TIE_MAKES, proposal);
    memory_free(counts);
}

/* No call is timed below it: what the kernel saw it wait for is none. */
static bool is_innermost(const struct variance_tree *tree, const struct tree_node *node)
{
    uint32_t i = node->first_child;
    while (i != NODE_NONE && reach_is_own(&tree->nodes[i]))
        i = tree->nodes[i].next_sibling;
    return i == NODE_NONE;
}

/* The waker's functions in the woken-by subtree `top` are proposed where they matter. */
static void propose_waker(const struct refine_loop *loop, const struct variance_tree *tree,
                          uint32_t top, double d, struct proposal *proposal)
{
    for (uint32_t i = top; i != NODE_NONE; i = next_below(tree, i, top)) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->kind != NODE_WOKEN_BY || !waker_matters(node, d))
            continue;
        if (node->function == FUNCTION_NONE)
            propose_makers(loop, proposal);
        else if (openable(loop, node->function))
            propose(proposal, node->function, TIE_WAKER);
        else if (i == top && is_innermost(tree, node))
            propose_callers(loop, node->function, proposal);
    }
}

static void propose_wakers(const struct refine_loop *loop, const struct variance_tree *tree,
                           uint32_t parent, double d, struct proposal *proposal)
{
    uint32_t child = tree->nodes[parent].first_child;
    for (; child != NODE_NONE; child = tree->nodes[child].next_sibling)
        if (tree->nodes[child].kind == NODE_WOKEN_BY)
            propose_waker(loop, tree, child, d, proposal);
        else if (tree->nodes[child].kind == NODE_FOR_ANOTHER)
            propose_wakers(loop, tree, child, d, proposal);
}

/* A call through a pointer may have reached several functions of one name: all that were seen are
 * proposed. */
static void propose_seen(const struct refine_loop *loop, const struct variance_tree *tree,
                         uint32_t node, struct proposal *proposal)
{
    uint32_t caller = tree->nodes[tree->nodes[node].parent].function;
    for (uint32_t i = 0; i < loop->seen_count; i += 2) {
        const char *name = loop->table->functions[loop->seen[i + 1]].name;
        uint32_t seen = loop->seen[i + 1];
        if (loop->seen[i] == caller && strcmp(name, tree->nodes[node].name) == 0 &&
            (openable(loop, seen) || leads_on(loop, seen)))
            propose(proposal, seen, TIE_SEEN);
    }
}

/* Proposes functions that the factor leads to though nothing in the text shows it. */
static void propose_reached(const struct refine_loop *loop, const struct variance_tree *tree,
                            const struct factor *factor, double d, struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    for (uint32_t i = 0; i < factor->site_count; i++)
        reach_count(loop, tree, factor->sites[i].a, d, counts);
    propose_counted(loop, counts, MOST_TIMED, TIE_POINTER, proposal);
    proposal->alone = proposal->count > 0;
    memory_free(counts);
}

static void propose_for_factor(const struct refine_loop *loop, const struct variance_tree *tree,
                               const struct factor *factor, double d, struct proposal *proposal)
{
    for (uint32_t i = 0; i < factor->site_count; i++) {
        uint32_t node = factor->sites[i].a, function = tree->nodes[node].function;
        enum node_kind kind = tree->nodes[node].kind;
        if (!factor_is_named_at(factor, i))
            continue;
        if (kind == NODE_WAIT || kind == NODE_QUEUE)
            propose_wakers(loop, tree, node, d, proposal);
        if (kind != NODE_FUNCTION && kind != NODE_CALL)
            continue;
        if (openable(loop, function) || leads_on(loop, function))
            propose(proposal, function, TIE_ITSELF);
        if (function == FUNCTION_NONE)
            propose_seen(loop, tree, node, proposal);
        propose_wakers(loop, tree, node, d, proposal);
    }
}

/* ---- chains of calls through pointers ---- */

static bool is_seen(const struct refine_loop *loop, uint32_t function)
{
    for (uint32_t i = 0; i < loop->seen_count; i += 2)
        if (loop->seen[i + 1] == function)
            return true;
    return false;
}

/* A link calls through a pointer itself, or by a function that it calls by name. */
static bool calls_on(const struct refine_loop *loop, uint32_t function)
{
    const struct function_info *info = &loop->table->functions[function];
    bool on = info->indirect_calls;
    for (uint32_t i = 0; i < info->callee_count && !on; i++)
        on = loop->table->functions[info->callees[i]].indirect_calls;
    return on;
}

static bool is_link_of(const struct refine_loop *loop, const struct proposal *proposal,
                       uint32_t function)
{
    uint32_t type = loop->table->functions[function].type;
    if (type == 0 || !openable(loop, function) || !calls_on(loop, function))
        return false;
    for (uint32_t i = 0; i < proposal->count; i++)
        if (loop->table->functions[proposal->functions[i]].type == type &&
            is_seen(loop, proposal->functions[i]) && calls_on(loop, proposal->functions[i]))
            return true;
    return false;
}

static void propose_link(const struct refine_loop *loop, uint32_t function, enum tie tie,
                         struct proposal *proposal)
{
    const struct function_info *info = &loop->table->functions[function];
    propose(proposal, function, tie);
    for (uint32_t i = 0; i < info->callee_count; i++)
        if (tie == TIE_POINTER && loop->table->functions[info->callees[i]].indirect_calls &&
            openable(loop, info->callees[i]))
            propose(proposal, info->callees[i], tie);
}

/* A call through a pointer came to a function that goes on through one: as filters do, of which each
 * calls the next. What has its type and goes on likewise may be the next, and the next of that: all
 * are opened at once, or timed where they are many. */
static void propose_links(const struct refine_loop *loop, struct proposal *proposal)
{
    uint32_t functions = loop->table->function_count, count = 0;
    uint32_t *links = memory_zeroed((functions + 1) * sizeof *links);
    for (uint32_t i = 0; i < functions; i++)
        if (is_link_of(loop, proposal, i))
            links[count++] = i;
    enum tie tie = count > MOST_LINKS ? TIE_LINK : TIE_POINTER;
    for (uint32_t i = 0; i < count && i < MOST_TIMED; i++)
        propose_link(loop, links[i], tie, proposal);
    memory_free(links);
}

static bool lies_outside(const struct variance_tree *tree, double d)
{
    for (uint32_t i = tree->nodes[0].first_child; i != NODE_NONE; i = tree->nodes[i].next_sibling)
        if (tree->nodes[i].kind == NODE_BODY && tree->nodes[i].contribution > d)
            return true;
    return false;
}

/* Counts by caller the outermost functions that it calls: those with no timed one above that are
 * opened or call one that is; where there is none, all that are opened. A function where intervals
 * begin and end counts as opened, though it may have been left out. */
static void count_outer_callers(const struct refine_loop *loop, const struct variance_tree *tree,
                                uint32_t *counts)
{
    uint32_t count = loop->table->function_count;
    bool any = false, *open = memory_alloc(count + 1), *opened = memory_alloc(count + 1);
    for (uint32_t i = 0; i < count; i++)
        open[i] = opened[i] = loop->opened[i] || (loop->hot[i] && loop->table->functions[i].marks);
    add_wrappers(loop, open);
    for (uint32_t i = tree->nodes[0].first_child; i != NODE_NONE; i = tree->nodes[i].next_sibling) {
        uint32_t function = tree->nodes[i].function;
        if (tree->nodes[i].kind != NODE_FUNCTION || function == FUNCTION_NONE ||
            (!opened[function] && !refine_loop_calls_any(loop, function, open)))
            continue;
        count_callers(loop, function, counts);
        any = true;
    }
    for (uint32_t i = 0; i < count && !any; i++)
        if (opened[i])
            count_callers(loop, i, counts);
    memory_free(open);
    memory_free(opened);
}

static uint32_t greatest_count(const struct refine_loop *loop, const uint32_t *counts)
{
    uint32_t greatest = 0;
    for (uint32_t i = 0; i < loop->table->function_count; i++)
        greatest = counts[i] > greatest ? counts[i] : greatest;
    return greatest;
}

/* Callers that were timed and seen are not what is looked for. Of the others all are timed first;
 * which of them was entered before and never returns, is a guess. */
static void choose_callers(const struct refine_loop *loop, const struct variance_tree *tree,
                           uint32_t *counts, struct proposal *proposal)
{
    uint32_t count = loop->table->function_count;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].function != FUNCTION_NONE)
            counts[tree->nodes[i].function] = 0;
    for (uint32_t i = 0; i < count; i++)
        proposal->alone |= counts[i] && !loop->timed[i];
    uint32_t greatest = greatest_count(loop, counts);
    for (uint32_t i = 0; i < count; i++)
        if (proposal->alone ? loop->timed[i] : counts[i] < greatest)
            counts[i] = 0;
}

/* Time of intervals may lie outside every timed function: then one goes one level up. */
static void propose_outside(const struct refine_loop *loop, const struct variance_tree *tree,
                            double d, struct proposal *proposal)
{
    if (!lies_outside(tree, d))
        return;
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts), all = 0;
    count_outer_callers(loop, tree, counts);
    for (uint32_t i = 0; i < loop->table->function_count; i++)
        all += counts[i] > 0;
    if (all > MOST_OPENED)
        choose_callers(loop, tree, counts, proposal);
    propose_counted(loop, counts, proposal->alone ? MOST_TIMED : MOST_OPENED, TIE_OUTSIDE,
                    proposal);
    memory_free(counts);
}

static void take_in_seen(struct refine_loop *loop, const struct variance_result *result)
{
    bool *callee = memory_zeroed(loop->table->function_count + 1);
    for (uint32_t i = 0; i < result->seen_count; i++) {
        struct seen_call call = result->seen[i];
        callee[call.callee] = true;
        if (!refine_loop_calls_any(loop, call.caller, callee)) {
            VEC_PUSH(loop->seen, loop->seen_count, loop->seen_capacity) = call.caller;
            VEC_PUSH(loop->seen, loop->seen_count, loop->seen_capacity) = call.callee;
        }
        callee[call.callee] = false;
    }
    memory_free(callee);
}

struct proposal *proposals_make(struct refine_loop *loop, const struct variance_result *result,
                                uint32_t k, double d, uint32_t *count)
{
    struct proposal *proposals = NULL;
    uint32_t capacity = 0;
    *count = 0;
    take_in_seen(loop, result);
    loop->makers = result->makers;
    loop->maker_count = result->maker_count;
    for (uint32_t i = 0; i < result->factors.count && *count < k; i++) {
        const struct factor *factor = &result->factors.factors[i];
        struct proposal proposal = {.factor = i};
        if (factor->contribution > d && factor->kind == FACTOR_VARIANCE)
            propose_for_factor(loop, &result->tree, factor, d, &proposal);
        propose_links(loop, &proposal);
        if (factor->contribution > d && factor->kind == FACTOR_VARIANCE && !proposal.count)
            propose_reached(loop, &result->tree, factor, d, &proposal);
        if (proposal.count)
            VEC_PUSH(proposals, *count, capacity) = proposal;
    }
    struct proposal outside = {.factor = PROPOSAL_OUTSIDE};
    propose_outside(loop, &result->tree, d, &outside);
    if (outside.count)
        VEC_PUSH(proposals, *count, capacity) = outside;
    loop->maker_count = 0; /* they are the result's */
    return proposals;
}

static void proposal_release(struct proposal *proposal)
{
    memory_free(proposal->functions);
    memory_free(proposal->ties);
}

void proposals_release(struct proposal *proposals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        proposal_release(&proposals[i]);
    memory_free(proposals);
}
