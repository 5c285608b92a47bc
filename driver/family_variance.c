#include "driver/family_variance.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "driver/runs/run_doubts.h"
#include "report/variance/factor_words.h"
#include "report/variance/family.h"

/* A doubt is told from this part of the time, of the variance or of a factor's own time on. The
 * value is the usual threshold, below which a factor is not selected. */
#define UNSEEN_PART 0.05

enum { MOST_NAME_COLUMNS = 60 }; /* of a name in a doubt */

/* The judged are the report of a result and the run that it was made from. */
struct judging {
    struct variance_report report;
    const struct timelines *run;
    const struct function_table *functions;
    struct doubts *doubts;
};

static void judge_wakers(struct judging *j)
{
    const struct variance_tree *tree = j->report.tree;
    uint32_t most;
    double part = run_unknown_wakers(tree, &most);
    if (part > UNSEEN_PART)
        doubts_add(
            j->doubts, DOUBT_OF_WAITS, "unknown-wakers",
            "%.0f %% of the time was blocked until something unseen ended it, most of it in %.60s: "
            "a program without vprofiler, or a release that is not declared "
            "(docs/config.md).",
            part * 100, tree->nodes[most].name);
}

static void judge_queues(struct judging *j)
{
    const struct variance_tree *tree = j->report.tree;
    __int128 ns = 0;
    for (uint32_t n = 1; n < tree->node_count; n++)
        if (tree->nodes[n].parent == 0 && tree->nodes[n].kind == NODE_QUEUE &&
            tree->nodes[n].wait == WAIT_HAND_OVER)
            ns += tree->nodes[n].moments.sum;
    double part = (double)ns / (double)tree->nodes[0].moments.sum;
    if (part > UNSEEN_PART)
        doubts_add(
            j->doubts, DOUBT_OF_WAITS, "undeclared-queue",
            "%.0f %% of the time lies between threads: from where one is last seen at work for "
            "the interval to SI_ENTER on another. VPROF_LEAVE() where the first is done says "
            "when that was; VPROF_ENQUEUE(queue, key) and VPROF_DEQUEUE(queue, key) tell the "
            "queue itself, by any key that both ends know, as the interval's id.",
            part * 100);
}

static void judge_teams(struct judging *j)
{
    const struct variance_tree *tree = j->report.tree;
    uint32_t most;
    double part = run_unseen_teams(tree, j->functions, &most);
    if (part > UNSEEN_PART)
        doubts_add(
            j->doubts, DOUBT_OF_WAITS, "unseen-team",
            "%.0f %% of the variance is that of a region of OpenMP in %.60s itself, where it is "
            "not seen which thread the others wait for: the program has tasks, places its "
            "threads, or was not built by gcc (docs/limits.md).",
            part * 100, tree->nodes[most].name);
}

/* A few intervals own the variance: the ranking that is shown is that of the others. */
static void judge_outliers(struct judging *j)
{
    const struct outliers *outliers = j->report.outliers;
    if (!j->report.others)
        return;
    doubts_add(
        j->doubts, DOUBT_OF_RANKING, "outliers",
        "%u of %llu intervals %s %.0f %% of the variance, so that nothing else can be told from "
        "0 in all of them: the tables are of the others. Is it the machine, or does it come "
        "back? Let the program run longer.",
        outliers->count, (unsigned long long)j->report.tree->intervals.count,
        outliers->count == 1 ? "has" : "have", outliers->part * 100);
}

static void judge_ranking(struct judging *j)
{
    struct variance_report shown = j->report.others ? *j->report.others : j->report;
    shown.of = j->report.of;
    const struct factor_list *list = shown.factors;
    const struct factor *first = factor_first(&shown);
    struct str name = {0}, rival = {0};
    if (!first)
        return;
    if (!list->steady)
        doubts_add(
            j->doubts, DOUBT_OF_RANKING, "unsteady-variance",
            "The variance comes from so few stretches of the run that another run may have it "
            "from elsewhere. Let the program run longer.");
    factor_write_name(first, MOST_NAME_COLUMNS, true, &name);
    if (first->rival)
        factor_write_name(&list->factors[first->rival - 1], MOST_NAME_COLUMNS, true, &rival);
    if (!first->separated && first->rival)
        doubts_add(
            j->doubts, DOUBT_OF_RANKING, "unstable-ranking",
            "That %s comes before %s is not separated from noise. Let the program run longer.",
            str_text(&name), str_text(&rival));
    else if (!first->separated && first->ci95[0] <= 0)
        doubts_add(j->doubts, DOUBT_OF_RANKING, "unstable-ranking",
                   "What %s contributes is not separated from noise. Let the program run longer.",
                   str_text(&name));
    str_release(&name);
    str_release(&rival);
}

/* Probes are told of from this part of what a function takes itself on; HOT_BODY is the least share
 * at which anybody would look at that (both chosen). */
#define HOT_PART 0.2
#define HOT_BODY 0.05

/* A probe costs what the first process that knows has measured; else two clock reads and a record,
 * about what tests/bench/probe.py measures. */
enum { SYSTEM_CLOCK_PROBE_NS = 60, COUNTER_PROBE_NS = 20 };
#define PROBE_COST_UNITS 65536.0 /* in a ns (trace/timeline.h) */

static double probe_ns(const struct timelines *run)
{
    for (uint32_t p = 0; p < run->process_count; p++)
        if (run->processes[p].probe_cost)
            return (double)run->processes[p].probe_cost / PROBE_COST_UNITS;
    return run->clock && strcmp(run->clock, "monotonic") == 0 ? SYSTEM_CLOCK_PROBE_NS
                                                              : COUNTER_PROBE_NS;
}

/* Counts by node the calls that were timed, its own and those below it. */
static uint64_t *timed_calls(const struct variance_tree *tree)
{
    uint64_t *calls = memory_zeroed(sizeof *calls * tree->node_count);
    for (uint32_t n = tree->node_count; n-- > 1;) {
        const struct tree_node *node = &tree->nodes[n];
        if (node->kind == NODE_FUNCTION || node->kind == NODE_CALL || node->kind == NODE_WOKEN_BY)
            calls[n] += node->calls;
        calls[node->parent] += calls[n];
    }
    return calls;
}

/* Gives the part of a factor's time that its probes took. */
static double probe_part(const struct judging *j, const struct factor *factor,
                         const uint64_t *calls)
{
    double probes = 0, all_ns = 0;
    for (uint32_t i = 0; i < factor->site_count; i++) {
        uint32_t node = factor->sites[i].a;
        probes += (double)calls[node];
        all_ns += (double)j->report.tree->nodes[node].moments.sum;
    }
    return all_ns > 0 ? probes * probe_ns(j->run) / all_ns : 0;
}

/* A hot caller's own time is that of the probes of what it calls: a probe's second half, and the
 * first half of the next, lie between the calls. */
struct hot_caller {
    uint32_t node, callee; /* what it calls the most; NODE_NONE: there is none */
    double part;           /* of its own time */
};

static bool is_call(const struct tree_node *node)
{
    return node->kind == NODE_FUNCTION || node->kind == NODE_CALL;
}

/* Finds the child of that kind, or gives NODE_NONE. */
static uint32_t child_of_kind(const struct variance_tree *tree, uint32_t node, enum node_kind kind)
{
    uint32_t c = tree->nodes[node].first_child;
    while (c != NODE_NONE && tree->nodes[c].kind != kind)
        c = tree->nodes[c].next_sibling;
    return c;
}

static double node_ns(const struct variance_tree *tree, uint32_t node)
{
    return node == NODE_NONE ? 0 : (double)tree->nodes[node].moments.sum;
}

/* Gives the share of what the caller does itself, with its probes. */
static double own_share(const struct variance_tree *tree, uint32_t caller)
{
    uint32_t body = child_of_kind(tree, caller, NODE_BODY);
    uint32_t probes = child_of_kind(tree, caller, NODE_PROBES);
    return fabs((body == NODE_NONE ? 0 : tree->nodes[body].share) +
                (probes == NODE_NONE ? 0 : tree->nodes[probes].share));
}

/* The time of a caller's probes was measured and is a leaf, or is reckoned from the calls and lies
 * in the body. */
static struct hot_caller hot_caller_of(const struct judging *j, uint32_t node)
{
    const struct variance_tree *tree = j->report.tree;
    const struct tree_node *nodes = tree->nodes;
    struct hot_caller caller = {node, NODE_NONE, 0};
    double calls = 0, body_ns = node_ns(tree, child_of_kind(tree, node, NODE_BODY));
    for (uint32_t c = nodes[node].first_child; c != NODE_NONE; c = nodes[c].next_sibling) {
        if (!is_call(&nodes[c]))
            continue;
        calls += (double)nodes[c].calls;
        if (caller.callee == NODE_NONE || nodes[c].calls > nodes[caller.callee].calls)
            caller.callee = c;
    }
    double probes_ns = node_ns(tree, child_of_kind(tree, node, NODE_PROBES));
    double own_ns = body_ns + probes_ns;
    if (!probes_ns)
        probes_ns = calls * probe_ns(j->run);
    caller.part = own_ns > 0 ? probes_ns / own_ns : 0;
    return caller;
}

/* The worst is the hot caller of the largest share, of those whose own time anybody would look
 * at. */
static struct hot_caller find_hot_caller(const struct judging *j)
{
    const struct variance_tree *tree = j->report.tree;
    struct hot_caller worst = {NODE_NONE, NODE_NONE, 0};
    double most = HOT_BODY;
    for (uint32_t n = 1; n < tree->node_count; n++) {
        uint32_t parent = tree->nodes[n].parent;
        enum node_kind kind = tree->nodes[n].kind;
        if ((kind != NODE_BODY && kind != NODE_PROBES) || parent == 0)
            continue;
        double share = own_share(tree, parent);
        if (share < most)
            continue;
        struct hot_caller caller = hot_caller_of(j, parent);
        if (caller.callee == NODE_NONE || caller.part < HOT_PART)
            continue;
        most = share;
        worst = caller;
    }
    return worst;
}

static void warn_of_caller(struct judging *j, const struct hot_caller *caller)
{
    const struct variance_tree *tree = j->report.tree;
    const struct tree_node *node = &tree->nodes[caller->node],
                           *callee = &tree->nodes[caller->callee];
    double calls = (double)callee->calls / (double)tree->intervals.count;
    doubts_add(
        j->doubts, DOUBT_OF_PROBES, "probe-cost",
        "Probes take up to %.0f %% of what %.60s takes itself: it calls %.60s %.0f times in a mean "
        "interval. They are no work of its own. Do not open it, or do not time what it calls.",
        fmin(caller->part, 1) * 100, node->name, callee->name, calls);
}

static void warn_of_cost(struct judging *j, const struct factor *worst, double part)
{
    struct hot_caller caller = find_hot_caller(j);
    if (caller.node != NODE_NONE)
        warn_of_caller(j, &caller);
    else if (worst)
        doubts_add(
            j->doubts, DOUBT_OF_PROBES, "probe-cost",
            "Probes take up to %.0f %% of the time of %.80s, at %.0f ns for each call: what it "
            "contributes may be theirs. Do not open it, or what it calls so often.",
            fmin(part, 1) * 100, worst->names[0], probe_ns(j->run));
}

static void judge_probes(struct judging *j)
{
    uint64_t *calls = timed_calls(j->report.tree);
    const struct factor *worst = NULL;
    double most = UNSEEN_PART;
    for (uint32_t i = 0; i < factor_count(&j->report); i++) {
        const struct factor *factor = &j->report.factors->factors[i];
        if (factor->kind != FACTOR_VARIANCE || !factor_selected(&j->report, factor))
            continue;
        double part = probe_part(j, factor, calls);
        worst = part > most ? factor : worst;
        most = fmax(most, part);
    }
    warn_of_cost(j, worst, most);
    if (j->report.of->functions_timed > 0 && calls[0] == 0)
        doubts_add(j->doubts, DOUBT_OF_CALLS, "no-calls",
                   "%u function%s to be timed, and no call was recorded in any interval. Does the "
                   "build compile the copy that it is started in, and is what ran what was built?",
                   j->report.of->functions_timed,
                   j->report.of->functions_timed == 1 ? " was" : "s were");
    memory_free(calls);
}

static void judge(const void *result, const struct report *report, const struct family_input *input,
                  struct doubts *doubts)
{
    struct judging judging = {.report = *(const struct variance_report *)result,
                              .run = input->run,
                              .functions = input->functions,
                              .doubts = doubts};
    judging.report.of = report;
    judge_wakers(&judging);
    judge_queues(&judging);
    judge_teams(&judging);
    judge_outliers(&judging);
    judge_ranking(&judging);
    if (!report->inferred) /* then there are none */
        judge_probes(&judging);
}

static struct variance_report report_of(const struct variance_result *result)
{
    return (struct variance_report){.tree = &result->tree,
                                    .factors = &result->factors,
                                    .roots = &result->roots,
                                    .tail = &result->tail,
                                    .waited = &result->waited,
                                    .outliers = &result->outliers};
}

/* Where a few intervals own the variance, it is not told from 0, and nothing else can be said of
 * all of them. */
static void analyze_others(struct family_variance_result *made, const struct family_input *input)
{
    struct outliers *outliers = &made->result.outliers;
    struct error ignored;
    if (made->result.factors.steady)
        outliers->count = 0;
    if (!outliers->count ||
        !variance_analyze_without(&made->without, input->run, input->functions,
                                  input->without_slowest + outliers->count, &ignored))
        return;
    outliers_explain(outliers, &made->result.roots, &made->without.roots);
    made->others = report_of(&made->without);
    made->report.others = &made->others;
}

static void *analyze(const struct family_input *input, struct error *error)
{
    struct family_variance_result *made = memory_zeroed(sizeof *made);
    struct variance_result *result = &made->result;
    if (!variance_analyze_without(result, input->run, input->functions, input->without_slowest,
                                  error)) {
        memory_free(made);
        return NULL;
    }
    made->report = report_of(result);
    made->without_slowest = input->without_slowest;
    analyze_others(made, input);
    return made;
}

static void illustrate(void *result, const struct family_input *input)
{
    struct family_variance_result *made = result;
    struct variance_report *shown = made->report.others ? &made->others : &made->report;
    uint32_t outliers = made->report.others ? made->result.outliers.count : 0;
    if (shown->rows)
        return;
    shown_rows_init(&made->rows, shown->tree, input->run, input->functions,
                    made->without_slowest + outliers, &made->report.tree->intervals.histogram);
    shown->rows = &made->rows;
}

static const char *check(const void *result)
{
    const struct variance_report *report = &((const struct family_variance_result *)result)->report;
    const char *broken = variance_tree_check(report->tree);
    return broken ? broken : root_ledger_check(report->roots, report->tree);
}

static const struct interval_summary *intervals(const void *result, double *coverage)
{
    const struct variance_tree *tree = ((const struct family_variance_result *)result)->report.tree;
    *coverage = tree->coverage;
    return &tree->intervals;
}

static void release(void *result)
{
    struct family_variance_result *made = result;
    variance_result_release(&made->result);
    variance_result_release(&made->without);
    shown_rows_release(&made->rows);
    memory_free(made);
}

const struct family family_variance = {.told = &variance_report_family,
                                       .needs = FAMILY_CALLS,
                                       .analyze = analyze,
                                       .check = check,
                                       .intervals = intervals,
                                       .judge = judge,
                                       .illustrate = illustrate,
                                       .release = release};
