/* Figure 1 of the paper with numbers, worked out by hand; the laws; what breaks them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaf_times.h"
#include "variance/variance.h"

static int failures;

static void expect_number(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-12 * (fabs(expected) + 1))
        return;
    printf("%s is %.15g, expected %.15g\n", what, got, expected);
    failures++;
}

static void expect_text(const char *what, const char *got, const char *expected)
{
    if (!strcmp(got, expected))
        return;
    printf("%s is %s, expected %s\n", what, got, expected);
    failures++;
}

/*   A calls B and C.       interval  1   2   3   4     mean  Var
 *                          B         1   2   3   4     2.5   1.25
 *                          C         4   2   2   0     2     2
 *                          body     10  10  12  12    11     1
 *                          A = L    15  14  17  16    15.5   1.25
 *   Cov(B,C) = 3.5 - 5 = -1.5, Cov(B,body) = 28.5 - 27.5 = 1, Cov(C,body) = 21 - 22 = -1
 *   Var(A) = 1.25 + 2 + 1 + 2 (-1.5 + 1 - 1) = 1.25
 *   Cov(.,L): B 1.25 - 1.5 + 1 = 0.75, C 2 - 1.5 - 1 = -0.5, body 1 + 1 - 1 = 1
 *   p99 = 16 + 0.97; only the third is slower: L 17 - 15.5 = 1.5, B 3 - 2.5, C 0, body 12 - 11 */
static const struct leaf figure_1[] = {
    {"A", {10, 10, 12, 12}}, {"A/B", {1, 2, 3, 4}}, {"A/C", {4, 2, 2, 0}}};

static bool analyze_figure_1(struct run_builder *b, struct variance_result *result)
{
    struct error error;
    run_builder_init(b);
    uint32_t a = run_builder_function(b, "A", true);
    run_builder_call(b, a, run_builder_function(b, "B", true));
    run_builder_call(b, a, run_builder_function(b, "C", true));
    leaf_times_build(b, figure_1, 3, 4);
    b->run.intervals[2].type = "slow";
    return variance_analyze(result, &b->run, &b->table, &error);
}

static void check_nodes(const struct variance_tree *tree)
{
    /* breadth first, the largest mean first */
    static const struct {
        const char *name;
        enum node_kind kind;
        double mean, variance, share, tail;
        uint32_t height;
    } nodes[] = {{"interval", NODE_INTERVAL, 15.5, 1.25, 1, 1, 2},
                 {"A", NODE_FUNCTION, 15.5, 1.25, 1, 1, 1},
                 {"A [body]", NODE_BODY, 11, 1, 0.8, 2.0 / 3, 0},
                 {"B", NODE_FUNCTION, 2.5, 1.25, 0.6, 1.0 / 3, 0},
                 {"C", NODE_FUNCTION, 2, 2, -0.4, 0, 0}};
    expect_number("node count", tree->node_count, 5);
    for (uint32_t i = 0; i < 5 && i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        expect_text("name", node->name, nodes[i].name);
        expect_text("kind", node_kind_name(node->kind), node_kind_name(nodes[i].kind));
        expect_number("mean", node->mean_ns, nodes[i].mean);
        expect_number("variance", node->variance_ns2, nodes[i].variance);
        expect_number("contribution", node->contribution, nodes[i].variance / 1.25);
        expect_number("share", node->share, nodes[i].share);
        expect_number("tail share", node->tail_share, nodes[i].tail);
        expect_number("height", node->height, nodes[i].height);
        expect_number("calls", (double)node->calls, i == 4 ? 3 : 4); /* C once took no time */
    }
}

static void check_pairs(const struct variance_tree *tree)
{
    static const double covariance[] = {1, -1, -1.5}; /* body-B, body-C, B-C */
    expect_number("covariance count", tree->covariance_count, 3);
    for (uint32_t i = 0; i < 3 && i < tree->covariance_count; i++) {
        expect_number("parent", tree->covariances[i].parent, 1);
        expect_number("covariance", tree->covariances[i].covariance_ns2, covariance[i]);
        expect_number("part", tree->covariances[i].contribution, 2 * covariance[i] / 1.25);
    }
}

static void check_summary(const struct variance_tree *tree)
{
    const struct interval_summary *s = &tree->intervals;
    expect_number("count", (double)s->count, 4);
    expect_number("mean", s->mean_ns, 15.5);
    expect_number("stddev", s->stddev_ns, sqrt(1.25));
    expect_number("min", s->min_ns, 14);
    expect_number("p50", s->p50_ns, 15.5);
    expect_number("p95", s->p95_ns, 16.85);
    expect_number("p99", s->p99_ns, 16.97);
    expect_number("p99.9", s->p999_ns, 16.997);
    expect_number("max", s->max_ns, 17);
    expect_number("bins", s->histogram.bin_count, 4);
    expect_number("first bin", (double)s->histogram.edges[0], 14);
    expect_number("in the last bin", (double)s->histogram.counts[3], 1);
    expect_number("coverage", tree->coverage, 1);
    expect_number("graph height", tree->graph_height, 2);
    expect_number("types", s->type_count, 2);
    if (s->type_count != 2)
        return;
    expect_text("first type", s->types[0].name, "");
    expect_number("its variance", s->types[0].variance_ns2, 2.0 / 3); /* 15, 14, 16 */
    expect_number("between types", s->between_types_ns2, 0.75);       /* 3/4 0.5^2 + 1/4 1.5^2 */
    expect_number("within types", s->within_types_ns2, 0.5);          /* 3/4 2/3 */
    expect_number("sum of the first", (double)s->types[0].sum, 45);
    expect_number("squares of the first", (double)s->types[0].square, 677);
    expect_text("second type", s->types[1].name, "slow");
    expect_number("its mean", s->types[1].mean_ns, 17);
}

/* Each number that the laws speak of is needed. */
static void check_laws(struct variance_tree *tree)
{
    const char *text = variance_tree_check(tree);
    expect_text("check", text ? text : "fine", "fine");
    __int128 *numbers[] = {&tree->nodes[3].moments.sum,     &tree->nodes[3].moments.square,
                           &tree->nodes[3].moments.latency, &tree->covariances[2].product,
                           &tree->nodes[0].moments.latency, &tree->nodes[3].moments.tail,
                           &tree->intervals.types[0].sum,   &tree->intervals.types[1].square};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] += 1;
        if (!variance_tree_check(tree)) {
            printf("check does not see that number %zu is wrong\n", i);
            failures++;
        }
        *numbers[i] -= 1;
    }
    tree->covariance_count--;
    expect_number("a lost pair is seen", variance_tree_check(tree) != NULL, 1);
    tree->covariance_count++;
}

/* X 0 2 4, Y 1 3 1, L 1 5 5: p99 is 5, and both of 5 are the tail. L 5 - 11/3 = 4/3, X 3 - 2 = 1,
 * Y 2 - 5/3 = 1/3. */
static void tail_of_equals(void)
{
    static const struct leaf leaves[] = {{"X", {0, 2, 4}}, {"Y", {1, 3, 1}}};
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    run_builder_function(&b, "X", true);
    run_builder_function(&b, "Y", true);
    leaf_times_build(&b, leaves, 2, 3);
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        failures++;
    expect_text("first child", result.tree.nodes[1].name, "X");
    expect_number("tail", (double)result.tree.intervals.tail_count, 2);
    expect_number("tail sum of L", (double)result.tree.nodes[0].moments.tail, 10);
    expect_number("tail sum of X", (double)result.tree.nodes[1].moments.tail, 6);
    expect_number("tail sum of Y", (double)result.tree.nodes[2].moments.tail, 4);
    expect_number("tail share of X", result.tree.nodes[1].tail_share, 0.75);
    expect_number("tail share of Y", result.tree.nodes[2].tail_share, 0.25);
    variance_result_release(&result);
    run_builder_release(&b);
}

/* 30 of 40 ns belong to no segment. */
static void coverage(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    uint32_t a = run_builder_thread(&b, 1);
    run_builder_label(&b, a, 30, run_builder_interval(&b, a, 0, a, 40));
    run_builder_label(&b, a, 40, INTERVAL_NONE);
    run_builder_interval(&b, a, 50, a, 60);
    b.run.intervals[1].complete = false;
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        failures++;
    expect_number("coverage", result.tree.coverage, 0.25);
    expect_number("incomplete", (double)result.tree.intervals.incomplete, 1);
    expect_text("first child", result.tree.nodes[1].name, "unexplained");
    variance_result_release(&result);
    run_builder_release(&b);
}

int main(void)
{
    tail_of_equals();
    coverage();
    struct run_builder b;
    struct variance_result result;
    if (!analyze_figure_1(&b, &result))
        return 1;
    check_nodes(&result.tree);
    check_pairs(&result.tree);
    check_summary(&result.tree);
    check_laws(&result.tree);
    variance_result_release(&result);
    run_builder_release(&b);
    printf("%d failed\n", failures);
    return failures != 0;
}
