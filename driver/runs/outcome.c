#include "driver/runs/outcome.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "driver/runs/run_doubts.h"
#include "report/kit/number.h"
#include "report/variance/headline.h"
#include "stats/distance.h"

const char *outcome_target(const struct timelines *run)
{
    uint32_t process = run->interval_count ? run->intervals[0].process : 0;
    const char *program = run->process_count ? run->processes[process].program : "";
    const char *slash = strrchr(program, '/');
    return slash ? slash + 1 : program;
}

static void warn(struct outcome *outcome, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(struct outcome *outcome, const char *code, const char *format, ...)
{
    struct report *report = &outcome->report;
    if (report->warning_count == MOST_WARNINGS)
        return;
    struct report_warning *warning = &outcome->warnings[report->warning_count++];
    warning->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(warning->message, sizeof warning->message, format, args);
    va_end(args);
    report->warnings = outcome->warnings;
}

static void warn_again(struct outcome *outcome, const char *code, const char *message)
{
    if (message)
        warn(outcome, code, "%s", message);
}

static void judge_intervals(struct outcome *outcome)
{
    const struct interval_summary *intervals = &outcome->report.tree->intervals;
    if (intervals->count < 100)
        warn(outcome, "few-intervals",
             "Only %llu complete interval%s: the shares are rough. Let the program run longer.",
             (unsigned long long)intervals->count, number_plural(intervals->count));
    uint64_t endless = intervals->incomplete - outcome->run->intervals_cut;
    if (endless * 20 > intervals->count)
        warn(outcome, "incomplete-intervals",
             "%llu interval%s began and never ended, and %s left out. Is an SI_END missing on "
             "some way out?",
             (unsigned long long)endless, number_plural(endless), endless == 1 ? "is" : "are");
    if (outcome->report.tree->coverage < 0.95)
        warn(outcome, "low-coverage",
             "%.0f %% of the time is unexplained or a hand-over that left no trace. Add SI_ENTER "
             "where a thread takes a request over, or declare the queue (docs/config.md).",
             (1 - outcome->report.tree->coverage) * 100);
}

/* Intervals that are not what they seem to be. */
static void judge_marks(struct outcome *outcome)
{
    const struct timelines *run = outcome->run;
    const char *programs[2];
    uint64_t nested = run_nested_intervals(run);
    if (nested * 100 > outcome->report.tree->intervals.count)
        warn(outcome, "nested-intervals",
             "%llu time%s an interval was begun inside another, whose thread did not come back to "
             "it: the rest of that one counts as waiting. A thread works for one interval at a "
             "time; call SI_ENTER(the outer one) after the SI_END of the inner one.",
             (unsigned long long)nested, number_plural(nested));
    if (run_two_programs(run, programs))
        warn(outcome, "several-programs",
             "Intervals of several programs are taken together, as of %.60s and %.60s. Run one of "
             "them, or leave the marks in one.",
             programs[0], programs[1]);
}

static void judge_wakers(struct outcome *outcome)
{
    const struct variance_tree *tree = outcome->report.tree;
    uint32_t most;
    double part = run_unknown_wakers(tree, &most);
    if (part > 0.05)
        warn(
            outcome, "unknown-wakers",
            "%.0f %% of the time was blocked until something unseen ended it, most of it in %.60s: "
            "a program without vprofiler, or a release that is not declared "
            "(docs/config.md).",
            part * 100, tree->nodes[most].name);
}

static void judge_teams(struct outcome *outcome)
{
    const struct variance_tree *tree = outcome->report.tree;
    uint32_t most;
    double part = run_unseen_teams(tree, outcome->functions, &most);
    if (part > 0.05)
        warn(outcome, "unseen-team",
             "%.0f %% of the variance is that of a region of OpenMP in %.60s itself, where it is "
             "not seen which thread the others wait for: the program has tasks, places its "
             "threads, or was not built by gcc (docs/limits.md).",
             part * 100, tree->nodes[most].name);
}

/* Moved by more than a fifth of the mean, and more than chance would with so many intervals
 * (Kolmogorov and Smirnov's test at 1 %). */
static bool latency_shifted(const struct interval_summary *first,
                            const struct interval_summary *now)
{
    double n = (double)first->count, m = (double)now->count;
    double moved = distance_moved(first->percentiles_ns, now->percentiles_ns, SUMMARY_PERCENTILES);
    double steps = distance_steps(first->percentiles_ns, now->percentiles_ns, SUMMARY_PERCENTILES);
    return moved > 0.2 * first->mean_ns && steps > 1.63 * sqrt((n + m) / (n * m));
}

static double percent_more(double now, double first)
{
    return first > 0 ? (now / first - 1) * 100 : 0;
}

static void judge_rounds(struct outcome *outcome)
{
    const struct interval_summary *first = outcome->first;
    const struct interval_summary *now = &outcome->report.tree->intervals;
    if (first && first->count && latency_shifted(first, now))
        warn(outcome, "latency-shift",
             "The latencies are not those of the first round (mean %+.0f %%, p50 %+.0f %%, p99 "
             "%+.0f %%): rounds may not be comparable, or the probes cost too much.",
             percent_more(now->mean_ns, first->mean_ns), percent_more(now->p50_ns, first->p50_ns),
             percent_more(now->p99_ns, first->p99_ns));
    warn_again(outcome, "latency-shift", outcome->past.latency_shift);
    warn_again(outcome, "stopped-early", outcome->stopped);
    warn_again(outcome, "stopped-early", outcome->past.stopped);
}

static void judge_ranking(struct outcome *outcome)
{
    const struct factor_list *list = outcome->report.factors;
    const struct factor *first = headline_factor(&outcome->report);
    struct str name = {0}, rival = {0};
    if (!first)
        return;
    if (!list->steady)
        warn(outcome, "unsteady-variance",
             "The variance comes from so few stretches of the run that another run may have it "
             "from elsewhere. Let the program run longer.");
    factor_write_name(first, 60, true, &name);
    if (first->rival)
        factor_write_name(&list->factors[first->rival - 1], 60, true, &rival);
    if (!first->separated && first->rival)
        warn(outcome, "unstable-ranking",
             "That %s comes before %s is not separated from noise. Let the program run longer.",
             str_text(&name), str_text(&rival));
    else if (!first->separated && first->ci95[0] <= 0)
        warn(outcome, "unstable-ranking",
             "What %s contributes is not separated from noise. Let the program run longer.",
             str_text(&name));
    str_release(&name);
    str_release(&rival);
}

/* Of what a function takes itself: from there on probes are told of; and the least share at which
 * anybody would look at that. */
#define HOT_PART 0.2
#define HOT_BODY 0.05

/* As the first process that knows measured it; else two clock reads and a record: about what
 * tests/bench/probe.py measures. */
static double probe_ns(const struct timelines *run)
{
    for (uint32_t p = 0; p < run->process_count; p++)
        if (run->processes[p].probe_cost)
            return (double)run->processes[p].probe_cost / 65536;
    return run->clock && strcmp(run->clock, "monotonic") == 0 ? 60 : 20;
}

/* By node: calls that were timed, its own and those below it. */
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

/* The part of a factor's time that its probes took. */
static double probe_part(const struct outcome *outcome, const struct factor *factor,
                         const uint64_t *calls)
{
    double probes = 0, all_ns = 0;
    for (uint32_t i = 0; i < factor->site_count; i++) {
        uint32_t node = factor->sites[i].a;
        probes += (double)calls[node];
        all_ns += (double)outcome->report.tree->nodes[node].moments.sum;
    }
    return all_ns > 0 ? probes * probe_ns(outcome->run) / all_ns : 0;
}

/* As many names as a warning holds. */
static void judge_hot(struct outcome *outcome)
{
    struct str names = {0};
    uint32_t told = 0;
    for (; told < outcome->hot_count; told++) {
        if (told && names.length + strlen(outcome->hot[told]) > 140)
            break;
        str_printf(&names, "%s%.140s", told ? ", " : "", outcome->hot[told]);
    }
    if (told < outcome->hot_count)
        str_printf(&names, " and %u more", outcome->hot_count - told);
    warn(outcome, "hot-functions",
         "Some functions are called too often to be timed, and their time is their callers': %s.",
         names.data);
    str_release(&names);
}

/* A function whose own time is that of the probes of what it calls: a probe's second half, and
 * the first half of the next, lie between the calls. */
struct hot_caller {
    uint32_t node, callee; /* what it calls the most; NODE_NONE: there is none */
    double part;           /* of its own time */
};

static bool is_call(const struct tree_node *node)
{
    return node->kind == NODE_FUNCTION || node->kind == NODE_CALL;
}

/* The one of a node's children, or NODE_NONE. */
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

/* The share of what the caller does itself, with its probes. */
static double own_share(const struct variance_tree *tree, uint32_t caller)
{
    uint32_t body = child_of_kind(tree, caller, NODE_BODY);
    uint32_t probes = child_of_kind(tree, caller, NODE_PROBES);
    return fabs((body == NODE_NONE ? 0 : tree->nodes[body].share) +
                (probes == NODE_NONE ? 0 : tree->nodes[probes].share));
}

/* What its probes take was measured and is a leaf, or is reckoned of the calls and in the body. */
static struct hot_caller hot_caller_of(const struct outcome *outcome, uint32_t node)
{
    const struct variance_tree *tree = outcome->report.tree;
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
        probes_ns = calls * probe_ns(outcome->run);
    caller.part = own_ns > 0 ? probes_ns / own_ns : 0;
    return caller;
}

/* That of the largest share, of those whose own time anybody would look at. */
static struct hot_caller find_hot_caller(const struct outcome *outcome)
{
    const struct variance_tree *tree = outcome->report.tree;
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
        struct hot_caller caller = hot_caller_of(outcome, parent);
        if (caller.callee == NODE_NONE || caller.part < HOT_PART)
            continue;
        most = share;
        worst = caller;
    }
    return worst;
}

static void warn_of_caller(struct outcome *outcome, const struct hot_caller *caller)
{
    const struct variance_tree *tree = outcome->report.tree;
    const struct tree_node *node = &tree->nodes[caller->node],
                           *callee = &tree->nodes[caller->callee];
    double calls = (double)callee->calls / (double)tree->intervals.count;
    warn(
        outcome, "probe-cost",
        "Probes take up to %.0f %% of what %.60s takes itself: it calls %.60s %.0f times in a mean "
        "interval. They are no work of its own. Do not open it, or do not time what it calls.",
        fmin(caller->part, 1) * 100, node->name, callee->name, calls);
}

static void warn_of_cost(struct outcome *outcome, const struct factor *worst, double part)
{
    struct hot_caller caller = find_hot_caller(outcome);
    if (caller.node != NODE_NONE)
        warn_of_caller(outcome, &caller);
    else if (worst)
        warn(outcome, "probe-cost",
             "Probes take up to %.0f %% of the time of %.80s, at %.0f ns for each call: what it "
             "contributes may be theirs. Do not open it, or what it calls so often.",
             fmin(part, 1) * 100, worst->names[0], probe_ns(outcome->run));
}

static void judge_probes(struct outcome *outcome)
{
    uint64_t *calls = timed_calls(outcome->report.tree);
    const struct factor *worst = NULL;
    double most = 0.05;
    for (uint32_t i = 0; i < factor_count(&outcome->report); i++) {
        const struct factor *factor = &outcome->report.factors->factors[i];
        if (factor->kind != FACTOR_VARIANCE || !factor_selected(&outcome->report, factor))
            continue;
        double part = probe_part(outcome, factor, calls);
        worst = part > most ? factor : worst;
        most = fmax(most, part);
    }
    warn_of_cost(outcome, worst, most);
    if (outcome->hot_count)
        judge_hot(outcome);
    warn_again(outcome, "hot-functions", outcome->past.hot);
    if (outcome->report.functions_timed > 0 && calls[0] == 0)
        warn(outcome, "no-calls",
             "%u function%s to be timed, and no call was recorded in any interval. Does the "
             "build compile the copy that it is started in, and is what ran what was built?",
             outcome->report.functions_timed,
             outcome->report.functions_timed == 1 ? " was" : "s were");
    memory_free(calls);
}

static void judge_trace(struct outcome *outcome)
{
    const struct timelines *run = outcome->run;
    if (run->lost_records)
        warn(
            outcome, "lost-records",
            "%llu record%s lost: the trace folder or its cap is full, more than 16,448 timed calls "
            "were open at once, or calls ended in a way that is not seen.",
            (unsigned long long)run->lost_records, run->lost_records == 1 ? " was" : "s were");
    if (run->overwritten_records)
        warn(outcome, "overwritten-records",
             "%llu older records were overwritten by newer ones, as VPROF_TRACE_KEEP=newest asks; "
             "%u interval%s of their time %s left out.",
             (unsigned long long)run->overwritten_records, run->intervals_cut,
             number_plural(run->intervals_cut), run->intervals_cut == 1 ? "is" : "are");
    if (run->processes_unchanged)
        warn(outcome, "unchanged-code",
             "Calls of %u process%s are not timed: SELinux, seccomp or the kernel does not let %s "
             "change code. Compile with -DVPROF_NO_SITES.",
             run->processes_unchanged, run->processes_unchanged == 1 ? "" : "es",
             run->processes_unchanged == 1 ? "it" : "them");
    if (run->damage_count)
        warn(outcome, "damaged-trace", "%s", run->damage[0]);
    if (outcome->skipped)
        warn(outcome, "skipped",
             "%u function%s or call%s could not be instrumented; see skips.txt.", outcome->skipped,
             number_plural(outcome->skipped), number_plural(outcome->skipped));
    warn_again(outcome, "skipped", outcome->past.skipped);
    const struct probed_files *probed = outcome->probed;
    if (probed && probed->lost_count)
        warn(
            outcome, "lost-probes",
            "The build made %.60s again, which took out %u probe%s. Let it keep a source file that "
            "is newer than what it is made from, or make it before vprofiler starts.",
            str_text(&probed->lost), probed->lost_probes, number_plural(probed->lost_probes));
    warn_again(outcome, "lost-probes", outcome->past.lost_probes);
}

bool outcome_check(const struct variance_tree *tree, struct error *error)
{
    const char *wrong = variance_tree_check(tree);
    return !wrong || error_set(error, ERROR_FORMAT,
                               "The result contradicts itself: %s. Please report it.", wrong);
}

/* True of every run, so that it is no doubt about this one. */
static const struct report_warning notes[] = {
    {"preemption-not-separated",
     "Time in which a thread was runnable but not running is part of the function it was in."}};

void outcome_judge(struct outcome *outcome)
{
    judge_intervals(outcome);
    judge_marks(outcome);
    judge_wakers(outcome);
    judge_teams(outcome);
    judge_rounds(outcome);
    judge_ranking(outcome);
    judge_probes(outcome);
    judge_trace(outcome);
    outcome->report.notes = notes;
    outcome->report.note_count = sizeof notes / sizeof *notes;
}

static bool write_one(const char *folder, const char *name, const struct str *text,
                      struct error *error)
{
    struct str path = {0};
    path_join(&path, folder, name);
    bool ok = file_write(path.data, str_text(text), text->length, error);
    str_release(&path);
    return ok;
}

static bool write_text(const struct outcome *outcome, const char *folder, struct error *error)
{
    char *data = NULL;
    size_t size_bytes = 0;
    FILE *memory = open_memstream(&data, &size_bytes);
    if (!memory)
        return error_system(error, "Can't write the report");
    struct text_style style = {.color = false, .utf8 = true, .columns = 100};
    report_write_text(&outcome->report, &style, memory);
    fclose(memory);
    struct str text = {.data = data, .length = size_bytes};
    bool ok = write_one(folder, "report.txt", &text, error);
    free(data);
    return ok;
}

bool outcome_write(const struct outcome *outcome, const char *folder, struct error *error)
{
    struct str text = {0};
    report_write_json(&outcome->report, &text);
    bool ok = write_one(folder, "report.json", &text, error);
    str_clear(&text);
    report_write_html(&outcome->report, &text);
    ok = ok && write_one(folder, "report.html", &text, error);
    str_release(&text);
    return ok && write_text(outcome, folder, error);
}

struct text_style outcome_terminal_style(void)
{
    struct text_style style = {.columns = 100};
    struct winsize size;
    const char *no_color = getenv("NO_COLOR");
    setlocale(LC_CTYPE, "");
    style.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    style.color = isatty(1) && !(no_color && *no_color);
    if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60 && size.ws_col < 160)
        style.columns = size.ws_col;
    return style;
}

void outcome_print(const struct outcome *outcome, bool json)
{
    if (json) {
        struct str text = {0};
        report_write_json(&outcome->report, &text);
        fwrite(text.data, 1, text.length, stdout);
        putchar('\n');
        str_release(&text);
    } else {
        struct text_style style = outcome_terminal_style();
        report_write_text(&outcome->report, &style, stdout);
    }
    fflush(stdout);
}
