/* variance_analyze as a whole: nothing to analyse, and calls through pointers by their address. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "run_builder.h"

int target_with_body(int x);
int target_with_body(int x)
{
    return x + 1;
}

static int failures;

static void expect(const char *what, bool right)
{
    if (right)
        return;
    printf("not so: %s\n", what);
    failures++;
}

static void nothing(uint64_t begins, uint64_t ends, const char *wanted)
{
    struct run_builder b;
    struct variance_result result;
    struct error error = {0};
    run_builder_init(&b);
    uint32_t a = run_builder_thread(&b, 1);
    if (begins) {
        run_builder_interval(&b, a, 0, a, 0);
        b.run.intervals[0].complete = false;
    }
    b.run.marks[VPROF_MARK_BEGIN] = begins;
    b.run.marks[VPROF_MARK_END] = ends;
    expect("it fails", !variance_analyze(&result, &b.run, &b.table, &error));
    expect("the code is ERROR_NOTHING", error.code == ERROR_NOTHING);
    expect(wanted, strstr(error.message, wanted) != NULL);
    run_builder_release(&b);
}

static uint32_t child_named(const struct variance_tree *tree, uint32_t node, const char *name)
{
    for (uint32_t c = tree->nodes[node].first_child; c != NODE_NONE;
         c = tree->nodes[c].next_sibling)
        if (!strcmp(tree->nodes[c].name, name))
            return c;
    return NODE_NONE;
}

/*   serve[0  (*f)[10   target[12  28]  30]    (*g)[40  45]    50]
 * The first call and its callee's own span are one node, 20 ns; the second has no symbol. */
static void indirect(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    struct str maps = {0};
    run_builder_init(&b);
    if (!file_read(&maps, "/proc/self/maps", &error))
        expect(error.message, false);
    b.process.maps = maps.data;
    uint32_t serve = run_builder_function(&b, "serve", true);
    uint32_t target = run_builder_function(&b, "target_with_body", true);
    uint32_t p_serve = run_builder_probe(&b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t p_target = run_builder_probe(&b, PROBE_FUNCTION, target, FUNCTION_NONE);
    uint32_t call = run_builder_probe(&b, PROBE_INDIRECT, FUNCTION_NONE, serve);
    uint32_t a = run_builder_thread(&b, 1);
    run_builder_enter(&b, a, 0, p_serve, 0);
    run_builder_enter(&b, a, 10, call, (uint64_t)(uintptr_t)target_with_body);
    run_builder_enter(&b, a, 12, p_target, 0);
    run_builder_leave(&b, a, 28);
    run_builder_leave(&b, a, 30);
    run_builder_enter(&b, a, 40, call, 8);
    run_builder_leave(&b, a, 45);
    run_builder_leave(&b, a, 50);
    run_builder_label(&b, a, 0, run_builder_interval(&b, a, 0, a, 50));
    run_builder_label(&b, a, 50, INTERVAL_NONE);
    failures += !run_builder_expect(
        &b, "indirect", "interval 0: serve 25; serve/[indirect] 5; serve/target_with_body 20\n");
    if (!variance_analyze(&result, &b.run, &b.table, &error)) {
        expect(error.message, false);
        return;
    }
    const struct variance_tree *tree = &result.tree;
    uint32_t top = child_named(tree, 0, "serve");
    uint32_t node = child_named(tree, top, "target_with_body");
    expect("the callee is below its caller", node != NODE_NONE);
    expect("it is a function of the tree", node != NODE_NONE &&
                                               tree->nodes[node].kind == NODE_FUNCTION &&
                                               tree->nodes[node].function == target);
    expect("one occurrence", node != NODE_NONE && tree->nodes[node].calls == 1);
    expect("the call was seen", result.seen_count == 1 && result.seen[0].caller == serve &&
                                    result.seen[0].callee == target);
    expect("it makes the caller higher", tree->nodes[top].height == 1 && tree->graph_height == 2);
    variance_result_release(&result);
    run_builder_release(&b);
    str_release(&maps);
}

/*   dispatch[0   handle[10  20]   30]     handle calls parse; what dispatch calls is not known:
 * a function that has no probe called handle for it, through a pointer. */
static void nested(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    uint32_t dispatch = run_builder_function(&b, "dispatch", true);
    uint32_t handle = run_builder_function(&b, "handle", true);
    run_builder_call(&b, handle, run_builder_function(&b, "parse", true));
    uint32_t p_dispatch = run_builder_probe(&b, PROBE_FUNCTION, dispatch, FUNCTION_NONE);
    uint32_t p_handle = run_builder_probe(&b, PROBE_FUNCTION, handle, FUNCTION_NONE);
    uint32_t a = run_builder_thread(&b, 1);
    run_builder_enter(&b, a, 0, p_dispatch, 0);
    run_builder_enter(&b, a, 10, p_handle, 0);
    run_builder_leave(&b, a, 20);
    run_builder_leave(&b, a, 30);
    run_builder_label(&b, a, 0, run_builder_interval(&b, a, 0, a, 30));
    run_builder_label(&b, a, 30, INTERVAL_NONE);
    if (!variance_analyze(&result, &b.run, &b.table, &error)) {
        expect(error.message, false);
        return;
    }
    const struct variance_tree *tree = &result.tree;
    uint32_t top = child_named(tree, 0, "dispatch"), below = child_named(tree, top, "handle");
    expect("parse 0, handle 1", tree->nodes[below].height == 1);
    expect("who stands above is higher", tree->nodes[top].height == 2 && tree->graph_height == 3);
    variance_result_release(&result);
    run_builder_release(&b);
}

/* 200000 intervals on one thread, and one over 300000 calls: each takes a moment, not minutes. */
static void many(void)
{
    enum { INTERVALS = 200000, CALLS = 300000 };
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    uint32_t serve = run_builder_function(&b, "serve", true);
    uint32_t probe = run_builder_probe(&b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t a = run_builder_thread(&b, 1);
    for (time_ns i = 0; i < INTERVALS; i++) {
        run_builder_label(&b, a, i * 10, run_builder_interval(&b, a, i * 10, a, i * 10 + 7));
        run_builder_enter(&b, a, i * 10 + 1, probe, 0);
        run_builder_leave(&b, a, i * 10 + 5 + i % 2);
        run_builder_label(&b, a, i * 10 + 7, INTERVAL_NONE);
    }
    time_ns begin = INTERVALS * 10, end = begin + CALLS * 10;
    run_builder_label(&b, a, begin, run_builder_interval(&b, a, begin, a, end));
    for (time_ns i = 0; i < CALLS; i++) {
        run_builder_enter(&b, a, begin + i * 10, probe, 0);
        run_builder_leave(&b, a, begin + i * 10 + 9);
    }
    run_builder_label(&b, a, end, INTERVAL_NONE);
    expect("it succeeds", variance_analyze(&result, &b.run, &b.table, &error));
    expect("all are counted", result.tree.nodes[1].calls == INTERVALS + CALLS);
    expect("the laws hold", variance_tree_check(&result.tree) == NULL);
    variance_result_release(&result);
    run_builder_release(&b);
}

int main(void)
{
    nothing(0, 0, "0 SI_BEGIN, 0 SI_END");
    nothing(3, 0, "every way out");
    nothing(3, 1, "same id");
    indirect();
    nested();
    many();
    printf("%d failed\n", failures);
    return failures != 0;
}
