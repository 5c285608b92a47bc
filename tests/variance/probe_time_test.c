/* What the probes of many calls cost is taken from their caller's own time, and from no more. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "run_builder.h"

enum { CALLS = 100, STEP_NS = 10, GAP_NS = 30 };

/* Two intervals of one function that calls another one many times, and a few times. */
static void build(struct run_builder *b)
{
    static const int calls[] = {CALLS, 2};
    run_builder_init(b);
    uint32_t serve = run_builder_function(b, "serve", true);
    uint32_t step = run_builder_function(b, "step", true);
    uint32_t serves = run_builder_probe(b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t steps = run_builder_probe(b, PROBE_FUNCTION, step, FUNCTION_NONE);
    uint32_t t = run_builder_thread(b, 100);
    time_ns time = 0;
    for (int k = 0; k < 2; k++) {
        time_ns begin = time, end = begin + CALLS * (STEP_NS + GAP_NS);
        uint32_t interval = run_builder_interval(b, t, begin, t, end);
        run_builder_label(b, t, begin, interval);
        run_builder_enter(b, t, begin, serves, 0);
        for (int i = 0; i < calls[k]; i++) {
            time = begin + i * (STEP_NS + GAP_NS) + GAP_NS;
            run_builder_enter(b, t, time, steps, 0);
            run_builder_leave(b, t, time + STEP_NS);
        }
        run_builder_leave(b, t, end);
        run_builder_label(b, t, end, INTERVAL_NONE);
        time = end + 1000;
    }
}

/* `cost` in ns, and `part` of one more in 2^-16. */
static int check(uint64_t cost, uint64_t part, const char *expected)
{
    struct run_builder b;
    build(&b);
    b.run.processes[0].probe_cost = cost << 16 | part;
    int failed = !run_builder_expect(&b, "probes", expected);
    run_builder_release(&b);
    return failed;
}

/* A leaf of its own that is no factor. */
static int check_tree(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    int leaves = 0, failed = 0;
    build(&b);
    b.run.processes[0].probe_cost = UINT64_C(20) << 16;
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        return 1;
    for (uint32_t i = 0; i < result.tree.node_count; i++) {
        const struct tree_node *node = &result.tree.nodes[i];
        bool probes = node->kind == NODE_PROBES;
        leaves += probes;
        failed |=
            probes && (strcmp(node->name, "[probes]") || node->calls != CALLS + 2 ||
                       node->moments.sum != (CALLS + 2) * 20 || node->first_child != NODE_NONE);
    }
    for (uint32_t i = 0; i < result.factors.count; i++)
        failed |= !strcmp(result.factors.factors[i].names[0], "[probes]") ||
                  (result.factors.factors[i].names[1] &&
                   !strcmp(result.factors.factors[i].names[1], "[probes]"));
    const char *broken = variance_tree_check(&result.tree);
    if (broken || failed || leaves != 1)
        printf("%d leaves; %s\n", leaves, broken ? broken : "the laws hold");
    variance_result_release(&result);
    run_builder_release(&b);
    return broken || failed || leaves != 1;
}

int main(void)
{
    int failed = 0;
    failed += check(0, 0,
                    "interval 0: serve 3000; serve/step 1000\n"
                    "interval 1: serve 3980; serve/step 20\n");
    failed += check(20, 1 << 15,
                    "interval 0: serve 950; serve/[probes] 2050; serve/step 1000\n"
                    "interval 1: serve 3939; serve/[probes] 41; serve/step 20\n");
    /* 1/128 of 4000 is 31.25: 36 ns are more, 30 are less. */
    failed += check(18, 0,
                    "interval 0: serve 1200; serve/[probes] 1800; serve/step 1000\n"
                    "interval 1: serve 3944; serve/[probes] 36; serve/step 20\n");
    failed += check(15, 0,
                    "interval 0: serve 1500; serve/[probes] 1500; serve/step 1000\n"
                    "interval 1: serve 3980; serve/step 20\n");
    failed += check(50, 0,
                    "interval 0: serve/[probes] 3000; serve/step 1000\n"
                    "interval 1: serve 3880; serve/[probes] 100; serve/step 20\n");
    failed += check_tree();
    printf("%d failed\n", failed);
    return failed != 0;
}
