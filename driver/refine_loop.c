#include "driver/refine_loop.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "driver/reach.h"

/* When time has to be looked for in callers: so many are opened with all that they call. Where they
 * are more, so many are timed by themselves: who of them is called then needs no guess. */
enum { MOST_OPENED = 8, MOST_TIMED = 64 };
/* Of the calls that may be timed: what has no more would save nothing if it were left out. */
#define SELDOM_PART 0.01
/* Of them, so many are left: just enough would be too many the next time. */
#define ROOM_PART 0.9

static bool is_short(const struct refine_loop *loop, uint32_t function)
{
    return loop->paces && loop->paces[function] == PACE_SHORT;
}

static bool can_time(const struct refine_loop *loop, uint32_t function)
{
    return loop->table->functions[function].body && !is_short(loop, function) &&
           !loop->hot[function];
}

static void time_callees(struct refine_loop *loop, uint32_t function);

/* What a short one calls stands below its caller. What a hot one calls took less than that did, and
 * it did not matter. */
static void time_callee(struct refine_loop *loop, uint32_t callee)
{
    if (can_time(loop, callee))
        loop->timed[callee] = true;
    else if (!loop->passed[callee] && !loop->hot[callee])
        time_callees(loop, callee);
}

static void time_callees(struct refine_loop *loop, uint32_t function)
{
    const struct function_info *info = &loop->table->functions[function];
    loop->passed[function] = true;
    for (uint32_t i = 0; i < info->callee_count; i++)
        time_callee(loop, info->callees[i]);
}

static void open_function(struct refine_loop *loop, uint32_t function)
{
    loop->opened[function] = true;
    loop->timed[function] = !is_short(loop, function);
    time_callees(loop, function);
    for (uint32_t i = 0; i < loop->seen_count; i += 2)
        if (loop->seen[i] == function)
            time_callee(loop, loop->seen[i + 1]);
}

bool refine_loop_init(struct refine_loop *loop, const struct function_table *table,
                      const enum pace *paces)
{
    *loop = (struct refine_loop){.table = table, .paces = paces};
    loop->opened = memory_zeroed(table->function_count + 1);
    loop->timed = memory_zeroed(table->function_count + 1);
    loop->passed = memory_zeroed(table->function_count + 1);
    loop->hot = memory_zeroed(table->function_count + 1);
    bool any = false;
    for (uint32_t i = 0; i < table->function_count; i++) {
        if (table->functions[i].handles_signals && reach_by_signal(table, i))
            time_callee(loop, i);
        if (table->functions[i].marks && table->functions[i].body) {
            open_function(loop, i);
            any = true;
        }
    }
    return any;
}

static bool openable(const struct refine_loop *loop, uint32_t function)
{
    if (function == FUNCTION_NONE || loop->opened[function])
        return false;
    const struct function_info *info = &loop->table->functions[function];
    return can_time(loop, function) &&
           (info->callee_count > 0 || info->indirect_calls || !loop->timed[function]);
}

/* A short one that was called through a pointer: what it calls was not timed with what its caller
 * calls. */
static bool leads_on(const struct refine_loop *loop, uint32_t function)
{
    return function != FUNCTION_NONE && is_short(loop, function) && !loop->opened[function] &&
           !loop->passed[function] && loop->table->functions[function].callee_count > 0;
}

static void propose(struct proposal *proposal, uint32_t function)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        if (proposal->functions[i] == function)
            return;
    VEC_PUSH(proposal->functions, proposal->count, proposal->capacity) = function;
}

static bool calls_any(const struct refine_loop *loop, uint32_t caller, const bool *functions)
{
    const struct function_info *info = &loop->table->functions[caller];
    for (uint32_t i = 0; i < info->callee_count; i++)
        if (functions[info->callees[i]])
            return true;
    for (uint32_t i = 0; i < loop->seen_count; i += 2)
        if (loop->seen[i] == caller && functions[loop->seen[i + 1]])
            return true;
    return false;
}

/* What is short or hot and calls one of `functions` becomes one: its callers stand for it. */
static void add_wrappers(const struct refine_loop *loop, bool *functions)
{
    uint32_t count = loop->table->function_count;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count; i++)
            if (!functions[i] && loop->table->functions[i].body && !can_time(loop, i) &&
                calls_any(loop, i, functions))
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
        counts[i] +=
            i != function && can_time(loop, i) && !loop->opened[i] && calls_any(loop, i, called);
    memory_free(called);
}

/* At the most so many, those of the greatest counts first. */
static void propose_counted(const struct refine_loop *loop, uint32_t *counts, uint32_t most,
                            struct proposal *proposal)
{
    for (uint32_t n = 0; n < most; n++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < loop->table->function_count; i++)
            best = counts[i] > counts[best] ? i : best;
        if (counts[best] == 0)
            return;
        counts[best] = 0;
        propose(proposal, best);
    }
}

static void propose_callers(const struct refine_loop *loop, uint32_t function,
                            struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    count_callers(loop, function, counts);
    propose_counted(loop, counts, MOST_OPENED, proposal);
    memory_free(counts);
}

/* The node after `node` in depth-first order below `top`; NODE_NONE at the end. */
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

/* Of a thread nothing is known but who made it: that is opened, and with it what it may have begun
 * in. */
static void propose_makers(const struct refine_loop *loop, struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    for (uint32_t i = 0; i < loop->maker_count; i++) {
        if (openable(loop, loop->makers[i]))
            propose(proposal, loop->makers[i]);
        reach_count_given(loop, loop->makers[i], counts);
    }
    propose_counted(loop, counts, MOST_OPENED, proposal);
    memory_free(counts);
}

/* What the waker did, in the woken-by subtree `top`, where it matters. */
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
            propose(proposal, node->function);
        else if (i == top && node->first_child == NODE_NONE)
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

/* A call through a pointer that may have reached several functions of one name: all that were seen.
 */
static void propose_seen(const struct refine_loop *loop, const struct variance_tree *tree,
                         uint32_t node, struct proposal *proposal)
{
    uint32_t caller = tree->nodes[tree->nodes[node].parent].function;
    for (uint32_t i = 0; i < loop->seen_count; i += 2) {
        const char *name = loop->table->functions[loop->seen[i + 1]].name;
        uint32_t seen = loop->seen[i + 1];
        if (loop->seen[i] == caller && strcmp(name, tree->nodes[node].name) == 0 &&
            (openable(loop, seen) || leads_on(loop, seen)))
            propose(proposal, seen);
    }
}

/* What the factor leads to where nothing in the text shows it. */
static void propose_reached(const struct refine_loop *loop, const struct variance_tree *tree,
                            const struct factor *factor, double d, struct proposal *proposal)
{
    uint32_t *counts = memory_zeroed((loop->table->function_count + 1) * sizeof *counts);
    for (uint32_t i = 0; i < factor->site_count; i++)
        reach_count(loop, tree, factor->sites[i].a, d, counts);
    propose_counted(loop, counts, MOST_TIMED, proposal);
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
            propose(proposal, function);
        if (function == FUNCTION_NONE)
            propose_seen(loop, tree, node, proposal);
        propose_wakers(loop, tree, node, d, proposal);
    }
}

static bool lies_outside(const struct variance_tree *tree, double d)
{
    for (uint32_t i = tree->nodes[0].first_child; i != NODE_NONE; i = tree->nodes[i].next_sibling)
        if (tree->nodes[i].kind == NODE_BODY && tree->nodes[i].contribution > d)
            return true;
    return false;
}

/* Of the functions that no timed one stands above: those opened, and callers of such; all that are
 * opened where none is. Of which each caller has how many. Where intervals begin and end counts as
 * opened, though it may have been left out. */
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
            (!opened[function] && !calls_any(loop, function, open)))
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

/* Of many callers those that were timed and seen are not what is looked for. Of the others all are
 * timed first; which of them was entered before and never returns, is a guess. */
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

/* Time of intervals that lies outside every timed function: one level up. */
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
    propose_counted(loop, counts, proposal->alone ? MOST_TIMED : MOST_OPENED, proposal);
    memory_free(counts);
}

static void take_in_seen(struct refine_loop *loop, const struct variance_result *result)
{
    bool *callee = memory_zeroed(loop->table->function_count + 1);
    for (uint32_t i = 0; i < result->seen_count; i++) {
        struct seen_call call = result->seen[i];
        callee[call.callee] = true;
        if (!calls_any(loop, call.caller, callee)) {
            VEC_PUSH(loop->seen, loop->seen_count, loop->seen_capacity) = call.caller;
            VEC_PUSH(loop->seen, loop->seen_count, loop->seen_capacity) = call.callee;
        }
        callee[call.callee] = false;
    }
    memory_free(callee);
}

struct proposal *refine_loop_propose(struct refine_loop *loop, const struct variance_result *result,
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

void refine_loop_free_proposals(struct proposal *proposals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memory_free(proposals[i].functions);
    memory_free(proposals);
}

void refine_loop_open(struct refine_loop *loop, const struct proposal *proposal)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        if (proposal->alone)
            loop->timed[proposal->functions[i]] = true;
        else
            open_function(loop, proposal->functions[i]);
}

/* Of the intervals' latency. What takes a good part of their time may vary in another window,
 * though it did not in this one, where a few intervals may have had all of the variance; a part of
 * the mean counts for half of one of the variance. */
#define MEAN_COUNTS 0.5
struct part {
    double variance, mean;
};

static struct part part_of(const struct variance_tree *tree, const struct tree_node *node)
{
    double all = (double)tree->nodes[0].moments.sum;
    return (struct part){node->contribution, all > 0 ? (double)node->moments.sum / all : 0};
}

/* A caller that calls it now and then decides when, and is worth its name, where that costs no more
 * than one call an interval. */
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

/* That of one of its callees: left out, a function that only passes on would lose its name, and the
 * callee stands in its place. */
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

/* By function: what all its nodes contribute, and where it woke others, beyond what they pass on;
 * to the variance, or what the mean counts for, the greater. One below itself is counted more than
 * once, and rather timed. */
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

/* By function: its calls, as its nodes tell, and those in it that have no body. */
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

/* Whether a function that stays timed, since it matters, stands above the node. */
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

/* One that holds an annotation may be left out where another stands above each of its places: what
 * it takes is that one's own then; at the top it would be no function's. */
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

/* By function: what leaving it out would save, the less the nearer to d it contributes; 0 where it
 * matters or has to be timed. */
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

static uint32_t count_of(const struct refine_loop *loop, const bool *functions)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < loop->table->function_count; i++)
        count += functions[i];
    return count;
}

uint32_t refine_loop_timed_count(const struct refine_loop *loop)
{
    return count_of(loop, loop->timed);
}

uint32_t refine_loop_hot_count(const struct refine_loop *loop)
{
    return count_of(loop, loop->hot);
}

void refine_loop_release(struct refine_loop *loop)
{
    memory_free(loop->opened);
    memory_free(loop->timed);
    memory_free(loop->passed);
    memory_free(loop->hot);
    memory_free(loop->seen);
    *loop = (struct refine_loop){0};
}
