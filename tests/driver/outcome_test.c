/* Every doubt: that it is told where there is reason, and not where there is none.
 *
 *   interval -> serve -> parse, lock          one run of 1,000 intervals that nothing is wrong with
 */
#include <stdio.h>
#include <string.h>

#include "driver/family_variance.h"
#include "driver/runs/outcome.h"
#include "trace/off_cpu.h"

enum { ROOT, SERVE, PARSE, LOCK, NODES };

static struct tree_node nodes[NODES];
static struct factor_site lock_site[] = {{LOCK, NODE_NONE, 0.7}};
static struct factor_site parse_site[] = {{PARSE, NODE_NONE, 0.3}};
static struct factor_site serve_site[] = {{SERVE, NODE_NONE, 0.9}};
static struct factor factors[2];
static struct variance_tree tree;
static struct factor_list list;
static struct family_variance_result variance = {.report = {.tree = &tree, .factors = &list}};
static const struct results results = {{&variance}};
static struct timelines run;
static struct interval_summary first;
static struct probed_files probed;
static int failures;

/* 1,000 intervals of 100 us, of which 1 % to 99 % are faster than 51 to 149 us. */
static void fill_intervals(struct interval_summary *intervals)
{
    *intervals = (struct interval_summary){
        .count = 1000, .mean_ns = 1e5, .p50_ns = 1e5, .p99_ns = 1.49e5, .variance_ns2 = 1e9};
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        intervals->percentiles_ns[i] = 51e3 + 1e3 * i;
}

static void fill_nodes(void)
{
    static const char *const names[NODES] = {"interval", "serve", "parse", "lock"};
    static const uint32_t parents[NODES] = {NODE_NONE, ROOT, SERVE, SERVE};
    static const int64_t sums[NODES] = {100000000, 99000000, 30000000, 69000000};
    for (uint32_t n = 0; n < NODES; n++)
        nodes[n] = (struct tree_node){.kind = n ? NODE_FUNCTION : NODE_INTERVAL,
                                      .name = names[n],
                                      .parent = parents[n],
                                      .calls = n ? 1000 : 0,
                                      .moments = {.sum = sums[n]},
                                      .mean_ns = (double)sums[n] / 1000};
    for (uint32_t n = 0; n < NODES; n++)
        nodes[n].first_child = nodes[n].next_sibling = NODE_NONE;
}

static struct outcome sound(void)
{
    fill_nodes();
    factors[0] = (struct factor){.rank = 1,
                                 .names = {"lock"},
                                 .contribution = 0.7,
                                 .share = 0.7,
                                 .ci95 = {0.65, 0.75},
                                 .sites = lock_site,
                                 .site_count = 1,
                                 .rival = 2,
                                 .separated = true};
    factors[1] = (struct factor){.rank = 2,
                                 .names = {"parse"},
                                 .contribution = 0.3,
                                 .share = 0.3,
                                 .ci95 = {0.25, 0.35},
                                 .sites = parse_site,
                                 .site_count = 1,
                                 .separated = true};
    tree = (struct variance_tree){.nodes = nodes, .node_count = NODES, .coverage = 0.99};
    fill_intervals(&tree.intervals);
    fill_intervals(&first);
    list = (struct factor_list){.factors = factors, .count = 2, .steady = true};
    run = (struct timelines){.clock = "tsc"};
    probed = (struct probed_files){0};
    return (struct outcome){.report = {.target = "t", .top = 3, .threshold = 0.05},
                            .run = &run,
                            .first = &first,
                            .probed = &probed};
}

/* "code code ": those that were told. */
static void expect(const char *what, struct outcome *outcome, const char *expected)
{
    char told[256] = "";
    outcome_release(outcome);
    outcome_tell(outcome, &results);
    outcome_judge(outcome);
    for (uint32_t i = 0; i < outcome->report.warning_count; i++) {
        const char *code = outcome->report.warnings[i].code;
        size_t used = strlen(told);
        snprintf(told + used, sizeof told - used, "%s%s", used ? " " : "", code);
    }
    if (strcmp(told, expected) == 0)
        return;
    printf("%s: told \"%s\", expected \"%s\"\n", what, told, expected);
    failures++;
}

static void expect_says(const struct outcome *outcome, const char *words)
{
    for (uint32_t i = 0; i < outcome->report.warning_count; i++)
        if (strstr(outcome->report.warnings[i].message, words))
            return;
    printf("nothing says \"%s\"\n", words);
    failures++;
}

static void intervals(void)
{
    struct outcome o = sound();
    tree.intervals.count = 100;
    expect("100 intervals", &o, "");
    o = sound();
    tree.intervals.count = 99;
    expect("99 intervals", &o, "few-intervals");
    o = sound();
    tree.intervals.incomplete = 50;
    expect("50 of 1,000 incomplete", &o, "");
    tree.intervals.incomplete = 51;
    expect("51 of 1,000 incomplete", &o, "incomplete-intervals");
    o = sound();
    tree.intervals.incomplete = run.intervals_cut = 51;
    run.overwritten_records = 1;
    expect("51 cut by the recorder", &o, "overwritten-records");
    o = sound();
    tree.coverage = 0.95;
    expect("95 % explained", &o, "");
    tree.coverage = 0.94;
    expect("94 % explained", &o, "low-coverage");
}

/* thread 0: begin 0 at 0, begin 1 at 10, end 1 at 20, end 0 at 40. */
static struct interval marked[2];
static struct label labels[5];
static struct timeline_thread thread;
static struct timeline_process processes[2];

static struct outcome nested(void)
{
    struct outcome o = sound();
    marked[0] = (struct interval){.complete = true, .begin = 0, .end = 40};
    marked[1] = (struct interval){.complete = true, .begin = 10, .end = 20, .process = 1};
    labels[0] = (struct label){0, 0};
    labels[1] = (struct label){10, 1};
    labels[2] = (struct label){20, INTERVAL_NONE};
    thread = (struct timeline_thread){.labels = labels, .label_count = 3};
    processes[0] = processes[1] = (struct timeline_process){.program = "/usr/bin/server"};
    run.intervals = marked;
    run.interval_count = 2;
    run.threads = &thread;
    run.thread_count = 1;
    run.processes = processes;
    run.process_count = 2;
    tree.intervals.count = 100;
    return o;
}

static void marks(void)
{
    struct outcome o = nested();
    expect("1 nested of 100", &o, "");
    tree.intervals.count = 99;
    expect("1 nested of 99", &o, "few-intervals nested-intervals");
    marked[0].end_thread = 1;
    expect("another thread ended it", &o, "few-intervals");
    marked[0].end_thread = 0;
    marked[0].complete = false;
    expect("incomplete", &o, "few-intervals");
    marked[0].complete = true;
    labels[3] = (struct label){30, 0};
    thread.label_count = 4;
    expect("entered again", &o, "few-intervals");
    labels[3].time = 40;
    expect("too late", &o, "few-intervals nested-intervals");
    thread.label_count = 3;
    marked[1].begin = 5;
    expect("entered, not begun", &o, "few-intervals");
    o = nested();
    processes[1].program = "/opt/server";
    expect("one name", &o, "");
    processes[1].program = "/usr/bin/client";
    expect("two programs", &o, "several-programs");
    expect_says(&o, "server and client");
    marked[1].complete = false;
    expect("one of them completes nothing", &o, "");
}

/* 5 ms of 100 ms. */
static void wakers(void)
{
    struct outcome o = sound();
    nodes[PARSE].kind = NODE_WAIT;
    nodes[PARSE].wait = WAIT_UNKNOWN_WAKER;
    nodes[PARSE].parent = LOCK;
    nodes[PARSE].moments.sum = 5000000;
    expect("5 % unknown", &o, "");
    nodes[PARSE].moments.sum = 6000000;
    expect("6 % unknown", &o, "unknown-wakers");
    expect_says(&o,
                "6 % of the time was blocked until something unseen ended it, most of it in lock");
    nodes[PARSE].wait = WAIT_WAKE_UP;
    expect("known", &o, "");
    nodes[PARSE].kind = NODE_QUEUE;
    nodes[PARSE].wait = WAIT_HAND_OVER;
    nodes[PARSE].parent = 0;
    expect("6 % in a queue that is not declared", &o, "undeclared-queue");
    nodes[PARSE].moments.sum = 5000000;
    expect("5 % in one", &o, "");
}

/* The parser holds a region, and is it itself for a part of the variance. */
static void teams(void)
{
    struct function_info functions[1] = {{.name = "parse", .body = true, .team_unseen = true}};
    struct function_table table = {.functions = functions, .function_count = 1};
    struct outcome o = sound();
    nodes[PARSE].function = 0;
    nodes[PARSE].first_child = LOCK;
    nodes[LOCK].kind = NODE_BODY;
    nodes[LOCK].parent = PARSE;
    nodes[LOCK].first_child = nodes[LOCK].next_sibling = NODE_NONE;
    nodes[LOCK].share = 0.5;
    expect("not known", &o, "");
    o.functions = &table;
    expect("a team", &o, "unseen-team");
    expect_says(&o, "50 % of the variance is that of a region of OpenMP in parse itself");
    nodes[LOCK].share = 0.05;
    expect("5 % of it", &o, "");
    nodes[LOCK].share = 0.5;
    functions[0].team_unseen = false;
    expect("all is seen", &o, "");
}

/* The mean may move by 20 us. A constant delay of 19 us is none, one of 21 us is; so is a middle
 * that parts to both sides and leaves mean and median where they were. */
static void rounds(void)
{
    struct outcome o = sound();
    o.first = NULL;
    expect("the first round", &o, "");
    o = sound();
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        tree.intervals.percentiles_ns[i] += 19e3;
    expect("19 us later", &o, "");
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        tree.intervals.percentiles_ns[i] += 2e3;
    tree.intervals.mean_ns += 21e3;
    expect("21 us later", &o, "latency-shift");
    expect_says(&o, "mean +21 %");
    o = sound();
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        tree.intervals.percentiles_ns[i] += i < 49 ? -21e3 : i > 49 ? 21e3 : 0;
    expect("parted", &o, "latency-shift");
    o = sound(); /* with 20 and 20 intervals chance moves the steps by 0.51 */
    first.count = tree.intervals.count = 20;
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        tree.intervals.percentiles_ns[i] += 21e3;
    expect("few", &o, "few-intervals");
}

static void ranking(void)
{
    struct outcome o = sound();
    factors[0].separated = false;
    expect("not separated", &o, "unstable-ranking");
    expect_says(&o, "That lock comes before parse");
    o = sound();
    factors[0].separated = false;
    factors[0].rival = 0;
    expect("alone, all of it in a few stretches", &o, "");
    factors[0].ci95[0] = -0.1;
    expect("alone, and maybe nothing", &o, "unstable-ranking");
    expect_says(&o, "What lock contributes");
    o = sound();
    factors[1].separated = false;
    expect("only the second is not", &o, "");
    o = sound();
    list.steady = false;
    expect("unsteady", &o, "unsteady-variance");
    o = sound();
    list.count = 0;
    list.steady = false;
    expect("no factor at all", &o, "");
}

/* 20 ns a call, of parse's 30 ms: 75,000 calls are 5 %. What it calls counts as well. */
static void probes(void)
{
    struct outcome o = sound();
    nodes[PARSE].calls = 74999;
    expect("just below 5 %", &o, "");
    nodes[PARSE].calls = 75100;
    expect("above 5 %", &o, "probe-cost");
    expect_says(&o, "of the time of parse");
    o = sound();
    nodes[PARSE].calls = 25100;
    expect("a third of the calls", &o, "");
    run.clock = "monotonic";
    expect("by a clock of three times the cost", &o, "probe-cost");
    o = sound();
    nodes[SERVE].calls = 300000; /* 6 ms of 99 ms, but serve is no factor that was selected */
    expect("no selected factor", &o, "");
    o = sound();
    factors[1].names[0] = "serve"; /* its parse is called so often, which is no factor */
    factors[1].sites = serve_site;
    nodes[PARSE].calls = 250000;
    expect("below a factor", &o, "probe-cost");
    expect_says(&o, "of the time of serve");
    o = sound();
    factors[1].contribution = 0.01;
    nodes[PARSE].calls = 75100;
    expect("below the threshold", &o, "");
}

/* serve -> parse, and [body] for 10 ms of 1,000 intervals: 100,000 calls of 20 ns are 20 % of it.
 */
static void hot_callers(void)
{
    struct outcome o = sound();
    nodes[SERVE].first_child = PARSE;
    nodes[PARSE].next_sibling = LOCK;
    nodes[LOCK].next_sibling = NODE_NONE;
    nodes[LOCK].kind = NODE_BODY;
    nodes[LOCK].moments.sum = 10000000;
    nodes[LOCK].share = 0.06;
    list.count = 0;
    nodes[PARSE].calls = 99000;
    expect("less than a fifth of what serve takes itself", &o, "");
    nodes[PARSE].calls = 101000;
    expect("more", &o, "probe-cost");
    expect_says(&o, "of what serve takes itself: it calls parse 101 times");
    nodes[LOCK].share = 0.04;
    expect("which is nothing to look at", &o, "");
    nodes[LOCK].share = -0.06;
    expect("which takes variance away", &o, "probe-cost");
    nodes[PARSE].calls = 99000;
    nodes[LOCK].kind = NODE_PROBES;
    expect("all that serve takes itself was measured as the probes'", &o, "probe-cost");
    expect_says(&o, "Probes take up to 100 % of what serve takes itself");
    nodes[PARSE].kind = NODE_WAIT;
    expect("no calls", &o, "");
}

static void hot_functions(void)
{
    const char *names[100];
    struct outcome o = sound();
    for (uint32_t i = 0; i < 100; i++)
        names[i] = "allocate_some";
    o.hot = names;
    o.hot_count = 2;
    expect("two are hot", &o, "hot-functions");
    expect_says(&o, "callers': allocate_some, allocate_some.");
    o.hot_count = 100;
    expect("many are hot", &o, "hot-functions");
    expect_says(&o, ", allocate_some and 91 more.");
}

static void trace(void)
{
    static const char *damage[] = {"x.vtr ends at byte 4096"};
    struct outcome o = sound();
    run.lost_records = 1;
    expect("lost", &o, "lost-records");
    expect_says(&o, "1 record was lost");
    o = sound();
    run.processes_unchanged = 2;
    expect("not changed", &o, "unchanged-code");
    expect_says(&o, "Calls of 2 processes are not timed");
    o = sound();
    run.damage = damage;
    run.damage_count = 1;
    expect("damaged", &o, "damaged-trace");
    o = sound();
    o.skipped = 2;
    expect("skipped", &o, "skipped");
    o = sound();
    o.stopped = "There is more to open.";
    expect("a limit", &o, "stopped-early");
    o = sound();
    probed.lost_count = 1;
    probed.lost_probes = 3;
    expect("lost probes", &o, "lost-probes");
    o = sound();
    o.report.functions_timed = 3;
    expect("calls were recorded", &o, "");
    for (uint32_t n = SERVE; n < NODES; n++)
        nodes[n].kind = NODE_BODY;
    expect("no call was recorded", &o, "no-calls");
    o.report.functions_timed = 0;
    expect("nothing was to be timed", &o, "");
}

static void expect_note(struct outcome *outcome, const char *code, const char *words)
{
    expect(code, outcome, "");
    const struct report *report = &outcome->report;
    if (report->note_count == 1 && strcmp(report->notes[0].code, code) == 0 &&
        strstr(report->notes[0].message, words))
        return;
    printf("%s: the note is \"%s\"\n", code, report->note_count ? report->notes[0].message : "");
    failures++;
}

static void kernel(void)
{
    struct outcome o = sound();
    expect_note(&o, "preemption-not-separated", "is part of the function it was in. The kernel's");
    run.watched = TRACE_WATCHED_TOTALS;
    expect_note(&o, "preemption-not-separated", "was not recorded: `vprofiler doctor`");
    run.total_ran_ns = 750;
    run.total_runnable_ns = 250;
    expect_note(&o, "preemption-not-separated", "they waited 25.0 % for one (schedstat)");
    run.total_runnable_ns = 0;
    expect_note(&o, "preemption-not-separated", "they waited 0.0 % for one (schedstat)");
    run.watched = TRACE_WATCHED_OWN;
    expect_note(&o, "wakers-not-recorded", "`vprofiler doctor`");
    run.watched = TRACE_WATCHED_ALL;
    expect_note(&o, "kernel-recorded", "was recorded");
    struct kernel_pause pauses[] = {{INT64_MIN, 100}, {400, 600}};
    struct kernel_side side = {.pauses = pauses, .pause_count = 2, .intervals_paused = 3100};
    struct timeline_thread worker = {.first = 0, .last = 1000};
    run.kernel_side = &side;
    run.threads = &worker;
    run.thread_count = 1;
    expect_note(&o, "kernel-recorded", "recorded only 70 % of the time, in windows");
    expect_note(&o, "kernel-recorded", "3,100 intervals that did not begin in one are left out");
    side.intervals_paused = 0;
    expect_note(&o, "kernel-recorded", "of what was outside it is not known why threads waited");
    side.pause_count = 0;
    expect_note(&o, "kernel-recorded", "who woke whom.");
    run.kernel_side = NULL;
    run.threads = NULL;
    run.thread_count = 0;
    run.kernel_lost = 2;
    expect("lost", &o, "lost-kernel-records");
    expect_says(&o, "2 records of the kernel's scheduler were lost");
    outcome_release(&o);
}

int main(void)
{
    struct outcome o = sound();
    expect("nothing wrong", &o, "");
    intervals();
    marks();
    wakers();
    teams();
    rounds();
    ranking();
    probes();
    hot_callers();
    hot_functions();
    trace();
    kernel();
    printf("%d failed\n", failures);
    return failures != 0;
}
