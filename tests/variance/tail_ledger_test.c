/* Ledgers worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaf_times.h"
#include "variance/tail_ledger.h"
#include "variance/variance.h"

static int failures;

static void expect_number(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-12 * (fabs(expected) + 1))
        return;
    printf("%s is %.15g, expected %.15g\n", what, got, expected);
    failures++;
}

static void expect_parts(const struct tail_ledger *ledger, const struct tail_part *parts,
                         uint32_t count)
{
    expect_number("parts", ledger->count, count);
    for (uint32_t i = 0; i < count && ledger->count == count; i++) {
        const struct tail_part *got = &ledger->parts[i], *want = &parts[i];
        if (strcmp(got->name, want->name) != 0) {
            printf("part %u is %s, expected %s\n", i, got->name, want->name);
            failures++;
        }
        expect_number("node", got->node, want->node);
        expect_number("places", got->places, want->places);
        expect_number("sum", (double)got->sum, (double)want->sum);
        expect_number("tail", (double)got->tail, (double)want->tail);
        expect_number("share", got->share, want->share);
        expect_number("from", (double)got->from_ns, (double)want->from_ns);
        expect_number("to", (double)got->to_ns, (double)want->to_ns);
    }
}

/* Four intervals, of which the last is slow.          1   2   3   4    sum  slower by
 *   interval                                         25  25  25 113    188  113 - 47
 *     serve
 *       serve [body]                                 10  10  10  10     40  0
 *       lock: compact [body], woken-by                0   0   0  80     80  60
 *       lock: wake-up latency                         1   1   1   5      8  3
 *       parse
 *         parse [body]                                8   8   8   0     24  -6
 *         lock                                        2   2   2   6     12  3
 *     push -> pop                                     4   4   4   4     16  0
 *     hand-over                                       0   0   0   8      8  6                  */
static void test_owners(void)
{
    struct tree_node nodes[] = {
        {NODE_INTERVAL, "interval", .parent = NODE_NONE, .first_child = 1,
         .moments = {188, .tail = 113}},
        {NODE_FUNCTION, "serve", .parent = 0, .first_child = 2},
        {NODE_BODY, "serve [body]", .parent = 1, .first_child = NODE_NONE,
         .moments = {40, .tail = 10}},
        {NODE_CALL, "lock", .parent = 1, .first_child = 4},
        {NODE_WOKEN_BY, "compact", .parent = 3, .first_child = 6, .blamed = true},
        {NODE_WAIT, "wake-up latency", .parent = 3, .first_child = NODE_NONE,
         .moments = {8, .tail = 5}},
        {NODE_BODY, "compact [body]", .parent = 4, .first_child = NODE_NONE, .blamed = true,
         .moments = {80, .tail = 80}},
        {NODE_FUNCTION, "parse", .parent = 1, .first_child = 8},
        {NODE_CALL, "lock", .parent = 7, .first_child = NODE_NONE, .moments = {12, .tail = 6}},
        {NODE_QUEUE, "push -> pop", .parent = 0, .first_child = NODE_NONE,
         .moments = {16, .tail = 4}},
        {NODE_WAIT, "hand-over", .parent = 0, .first_child = NODE_NONE, .moments = {8, .tail = 8}},
        {NODE_BODY, "parse [body]", .parent = 7, .first_child = NODE_NONE,
         .moments = {24, .tail = 0}},
    };
    static const struct tail_part parts[] = {
        {"lock", 3, 2, 100, 91, 1, 47, 113},
        {"hand-over", 10, 1, 8, 8, 6.0 / 66, 113, 119},
        {"parse [body]", 7, 1, 24, 0, -6.0 / 66, 119, 113},
        {"push -> pop", 9, 1, 16, 4, 0, 113, 113},
        {"serve [body]", 1, 1, 40, 10, 0, 113, 113},
    };
    struct variance_tree tree = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes};
    struct tail_ledger ledger;
    tree.intervals.count = 4;
    tree.intervals.tail_count = 1;
    tail_ledger_build(&ledger, &tree);
    expect_parts(&ledger, parts, sizeof parts / sizeof *parts);
    expect_number("mean", (double)ledger.mean_ns, 47);
    expect_number("slow", (double)ledger.slow_ns, 113);
    variance_tree_release(&tree);
}

/* Figure 1 (see variance_tree_test.c): 15.5, then 1 more of the body, 0.5 more of B: 17. */
static void test_analysis(void)
{
    static const struct leaf figure_1[] = {
        {"A", {10, 10, 12, 12}}, {"A/B", {1, 2, 3, 4}}, {"A/C", {4, 2, 2, 0}}};
    static const struct tail_part parts[] = {{"A [body]", 1, 1, 44, 12, 2.0 / 3, 16, 17},
                                             {"B", 3, 1, 10, 3, 1.0 / 3, 17, 17},
                                             {"C", 4, 1, 8, 2, 0, 17, 17}};
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    uint32_t a = run_builder_function(&b, "A", true);
    run_builder_call(&b, a, run_builder_function(&b, "B", true));
    run_builder_call(&b, a, run_builder_function(&b, "C", true));
    leaf_times_build(&b, figure_1, 3, 4);
    expect_number("analysed", variance_analyze(&result, &b.run, &b.table, &error), true);
    expect_parts(&result.tail, parts, 3);
    variance_result_release(&result);
    run_builder_release(&b);
}

static void test_nothing(void)
{
    struct variance_tree tree = {0};
    struct tail_ledger ledger;
    tail_ledger_build(&ledger, &tree);
    expect_parts(&ledger, NULL, 0);
}

int main(void)
{
    test_owners();
    test_analysis();
    test_nothing();
    printf("%d failed\n", failures);
    return failures != 0;
}
