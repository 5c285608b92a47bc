/* compare_print CASE FORMAT [COLUMNS [utf8|ascii [color]]] - prints a comparison that is made up.
 *
 *     cases     worse fine better unknown mixed huge zero odd bare
 *     formats   text json html github summary junit junit-strict failed-github failed-junit
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/variance/compare_report.h"

static bool is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

static void judge(struct change *change)
{
    change->verdict =
        change->together[0] > change->margins[1]   ? VERDICT_WORSE
        : change->together[1] < change->margins[0] ? VERDICT_BETTER
        : change->together[0] >= change->margins[0] && change->together[1] <= change->margins[1]
            ? VERDICT_SAME
            : VERDICT_INCONCLUSIVE;
    change->not_worse = change->together[1] < change->margins[1];
    if (change->verdict == VERDICT_INCONCLUSIVE)
        change->more = (change->together[1] - change->together[0]) / 0.04;
}

/* Half the width of an interval for itself is `half`, together it is half as much again. */
static struct change make(double a, double b, double whole, double half, enum metric metric)
{
    double change = (b - a) / whole, wide = 1.5 * half;
    struct change made = {.applies = true,
                          .enough = true,
                          .a = a,
                          .b = b,
                          .change = change,
                          .ci95 = {change - half, change + half},
                          .together = {change - wide, change + wide}};
    metric_margins(metric, 0.05, a != whole, made.margins);
    if (metric < METRIC_JUDGED)
        judge(&made);
    return made;
}

static const double whole[METRIC_COUNT] = {3.83e6, 2.25e13, 2e7, 1.07e6, 2.5e7};

static void fill(struct comparison_row *row, double part, double growth, double half)
{
    for (enum metric m = 0; m < (row->names[0] ? METRIC_JUDGED : METRIC_COUNT); m++) {
        double a = whole[m] * part;
        row->changes[m] = make(a, a * (1 + growth * (m + 1)), whole[m], half, m);
    }
}

static void unbound(struct change *change)
{
    change->enough = false;
    change->gap = GAP_FEW;
    change->not_worse = false;
    change->verdict = VERDICT_INCONCLUSIVE;
    change->ci95[0] = change->together[0] = -INFINITY;
    change->ci95[1] = change->together[1] = INFINITY;
    change->more = 12;
}

/* B's variance is 3e15 times as much, or A's is 0. */
static void make_ratio(struct change *change, bool zero)
{
    change->a = zero ? 0 : 1;
    change->b = 3e15;
    change->change = zero ? INFINITY : 3e15;
    change->ci95[0] = change->together[0] = zero ? INFINITY : 1e12;
    change->ci95[1] = change->together[1] = zero ? INFINITY : 9e18;
    change->gap = zero ? GAP_ZERO : GAP_NONE;
    judge(change);
}

static double growth_of(const char *name)
{
    return is(name, "worse") || is(name, "odd") ? 0.08 : is(name, "better") ? -0.16 : 0.001;
}

static const char *const odd_name =
    "a|b`c*d_e<script>alert(1)</script>\"'&%25,:\n::error ::x\r\x1b[31m\xff\xef\xbf\xbf]]>";

static void make_rows(struct comparison_row *rows, const char *name)
{
    double growth = growth_of(name);
    fill(&rows[0], 1, growth, is(name, "unknown") ? 0.07 : 0.012);
    rows[1].names[0] = is(name, "odd") ? odd_name : "pthread_mutex_lock";
    rows[1].file = is(name, "odd") ? "src/a,b:c%.c" : "src/server.c";
    rows[1].line = 211;
    fill(&rows[1], 0.55, growth, 0.01);
    rows[2] = (struct comparison_row){.kind = FACTOR_COVARIANCE, .names = {"parse", "reply"}};
    rows[2].changes[METRIC_VARIANCE] = make(-2e11, -3e11, 2.25e13, 0.003, METRIC_VARIANCE);
    rows[3] =
        (struct comparison_row){.names = {"std::map<std::string, std::shared_ptr<request>>::find"},
                                .blind = {NULL, "find"}};
    if (is(name, "unknown"))
        unbound(&rows[0].changes[METRIC_P99]);
    if (is(name, "mixed"))
        rows[0].changes[METRIC_P99] = make(2e7, 3e7, 2e7, 0.02, METRIC_P99);
    if (is(name, "mixed"))
        rows[0].changes[METRIC_MEAN] = make(3.83e6, 3e6, 3.83e6, 0.02, METRIC_MEAN);
    if (is(name, "huge") || is(name, "zero"))
        make_ratio(&rows[0].changes[METRIC_VARIANCE], is(name, "zero"));
}

/* ---- the tree, and the histograms ---- */

enum { NODES = 9 };

static void make_node(struct difference_node *node, uint32_t parent, const char *name, double a,
                      double b)
{
    *node = (struct difference_node){.kind = parent == NODE_NONE ? NODE_INTERVAL : NODE_FUNCTION,
                                     .name = name,
                                     .file = "src/server.c",
                                     .line = 40,
                                     .parent = parent,
                                     .there = {a > 0, b > 0}};
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
        double whole_a = way ? whole[METRIC_VARIANCE] : whole[METRIC_MEAN];
        enum metric metric = way ? METRIC_VARIANCE : METRIC_MEAN;
        double square = way ? 0.9 : 1;
        node->part[way][0] = a * square;
        node->part[way][1] = b * square;
        node->changes[way] =
            make(a * square * whole_a, b * square * whole_a, whole_a, 0.01, metric);
        if (fmax(a, b) < 0.02)
            node->changes[way].verdict = VERDICT_NONE;
    }
}

static void make_tree(struct difference *difference, struct difference_node *nodes,
                      const char *name)
{
    double growth = growth_of(name), lock = 0.55 * (1 + growth * 2);
    const char *deep = is(name, "odd") ? odd_name : "std::map<std::string, request>::find";
    make_node(&nodes[0], NODE_NONE, "interval", 1, 1 + growth);
    make_node(&nodes[1], 0, "serve", 0.98, 0.98 + growth);
    make_node(&nodes[2], 1, "pthread_mutex_lock", 0.55, lock);
    make_node(&nodes[3], 2, "compact", 0.5, lock - 0.05);
    make_node(&nodes[4], 1, "parse", 0.2, 0.201);
    make_node(&nodes[5], 1, "old_format", 0.1, 0);
    make_node(&nodes[6], 1, "new_format", 0, 0.1 + growth / 8);
    make_node(&nodes[7], 4, deep, 0.1, 0);
    make_node(&nodes[8], 1, "log", 0.011, 0.012);
    nodes[3].blamed = true;
    nodes[7].blind = "find";
    *difference = (struct difference){.nodes = nodes, .node_count = NODES, .left_out = 12};
    for (uint32_t n = 1; n < NODES; n++)
        if (nodes[n].parent != NODE_NONE)
            nodes[n].depth = nodes[nodes[n].parent].depth + 1;
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
        nodes[7].changes[way].applies = false;
}

/* Lines of a ledger: compact is waited for in the lock. */
static void make_roots(struct root_difference *roots, struct root_change *lines, const char *name)
{
    static const char *const names[] = {"compact", "parse", "wake-up latency"};
    double growth = growth_of(name), parts[][2] = {{0.6, 0.6 + growth}, {0.3, 0.3}, {0.012, 0.013}};
    for (int i = 0; i < 3; i++) {
        struct difference_node node;
        make_node(&node, 0, names[i], parts[i][0], parts[i][1]);
        lines[i] = (struct root_change){.kind = i < 2 ? OWNER_FUNCTION : OWNER_WAKE_UP,
                                        .name = i == 1 && is(name, "odd") ? odd_name : names[i],
                                        .file = i >= 2            ? ""
                                                : is(name, "odd") ? "src/a,b:c%.c"
                                                                  : "src/store.c",
                                        .line = 80,
                                        .there = {true, true}};
        memcpy(lines[i].part, node.part, sizeof node.part);
        memcpy(lines[i].changes, node.changes, sizeof node.changes);
    }
    *roots = (struct root_difference){.lines = lines, .count = 3};
}

static void make_histograms(struct histogram histograms[2], double growth)
{
    static const int edges = 24;
    for (int s = 0; s < 2; s++) {
        struct histogram *h = &histograms[s];
        double at = s ? 1 + growth : 1;
        *h = (struct histogram){.logarithmic = true, .bin_count = edges};
        for (int i = 0; i <= edges; i++)
            h->edges[i] = (int64_t)(3e5 * pow(10, i / 10.0));
        for (int i = 0; i < edges; i++) {
            double x = log(sqrt((double)h->edges[i] * (double)h->edges[i + 1]) / (1.07e6 * at));
            h->counts[i] = (uint64_t)(1e4 * exp(-x * x * 2) + (i < 20 ? 30 * exp(-i / 5.0) : 0));
        }
    }
}

/* ---- all of it ---- */

static void find_verdict(struct comparison *comparison)
{
    const struct change *latency = comparison->rows[0].changes;
    unsigned same = 0, better = 0, worse = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        same += latency[m].verdict == VERDICT_SAME;
        better += latency[m].verdict == VERDICT_BETTER;
        worse += latency[m].verdict == VERDICT_WORSE;
        comparison->may_be_worse |=
            latency[m].verdict == VERDICT_INCONCLUSIVE && !latency[m].not_worse;
    }
    comparison->verdict = worse                   ? VERDICT_WORSE
                          : better                ? VERDICT_BETTER
                          : same == METRIC_JUDGED ? VERDICT_SAME
                                                  : VERDICT_INCONCLUSIVE;
}

static void print(const struct compare_report *report, const char *format, int argc, char **argv)
{
    struct text_style style = {.columns = argc > 3 ? (unsigned)atoi(argv[3]) : 100,
                               .utf8 = argc <= 4 || is(argv[4], "utf8"),
                               .color = argc > 5 && is(argv[5], "color")};
    struct str text = {0};
    if (is(format, "text"))
        compare_write_text(report, &style, stdout);
    else if (is(format, "json"))
        compare_write_json(report, &text);
    else if (is(format, "html"))
        compare_write_html(report, &text);
    else if (is(format, "github"))
        compare_write_annotations(report, &text);
    else if (is(format, "summary"))
        compare_write_summary(report, &text);
    else if (is(format, "junit") || is(format, "junit-strict"))
        compare_write_junit(report, &text);
    else if (is(format, "failed-github"))
        compare_write_failed_annotation(odd_name, &text);
    else if (is(format, "failed-junit"))
        compare_write_failed_junit(odd_name, report->date, &text);
    fputs(str_text(&text), stdout);
    str_release(&text);
}

int main(int argc, char **argv)
{
    struct comparison_row rows[4] = {{.kind = FACTOR_VARIANCE}};
    struct difference_node nodes[NODES];
    struct root_change lines[3];
    struct report_warning warning = {.code = "drift",
                                     .message = "The difference drifts from block to block."};
    if (argc < 3)
        return 2;
    const char *name = argv[1];
    bool bare = is(name, "bare"), odd = is(name, "odd");
    make_rows(rows, name);
    struct comparison comparison = {.rows = rows,
                                    .row_count = bare ? 1 : 4,
                                    .margin = 0.05,
                                    .intervals = {120000, 118000},
                                    .runs = {20, 20},
                                    .blocks = 20,
                                    .of_runs = true,
                                    .waited = {-1, -1}};
    if (is(name, "mixed")) {
        comparison.starved = STARVED_B;
        comparison.waited[0] = 0.021;
        comparison.waited[1] = 0.314;
    }
    find_verdict(&comparison);
    if (!bare) {
        make_tree(&comparison.difference, nodes, name);
        make_roots(&comparison.roots, lines, name);
        make_histograms(comparison.histograms, growth_of(name));
    }
    struct compare_report report = {.comparison = &comparison,
                                    .names = {"vprofiler-out/003", "vprofiler-out/004"},
                                    .commands = {odd                ? odd_name
                                                 : is(name, "fine") ? NULL
                                                                    : "old/server --bench",
                                                 is(name, "fine") ? NULL : "new/server --bench"},
                                    .command = "vprofiler compare vprofiler-out/003 ...",
                                    .warnings = &warning,
                                    .warning_count = !is(name, "fine"),
                                    .strict = is(argv[2], "junit-strict"),
                                    .date = "2026-01-02T03:04:05",
                                    .host = "build-7"};
    print(&report, argv[2], argc, argv);
    return 0;
}
