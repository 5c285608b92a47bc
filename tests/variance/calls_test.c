/* A call counts once for each interval, also where the thread works for another in between. */
#include <stdio.h>
#include <string.h>

#include "run_builder.h"

static uint64_t calls_of(const struct variance_tree *tree, const char *name)
{
    uint64_t calls = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].kind != NODE_BODY && !tree->nodes[i].blamed &&
            strcmp(tree->nodes[i].name, name) == 0)
            calls += tree->nodes[i].calls;
    return calls;
}

/*   loop   |-----------------------------------------|
 *   serve       |-------------|     |---|  |---|
 *   label     A A A A B B A A A A B B B B B A A A         */
static void build(struct run_builder *b)
{
    run_builder_init(b);
    uint32_t loop = run_builder_function(b, "loop", true);
    uint32_t serve = run_builder_function(b, "serve", true);
    uint32_t loop_probe = run_builder_probe(b, PROBE_FUNCTION, loop, FUNCTION_NONE);
    uint32_t serve_probe = run_builder_probe(b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t t = run_builder_thread(b, 100);
    static const time_ns served[][2] = {{20, 60}, {80, 90}, {100, 110}};
    run_builder_enter(b, t, 0, loop_probe, 0);
    for (size_t i = 0; i < 3; i++) {
        run_builder_enter(b, t, served[i][0], serve_probe, 0);
        run_builder_leave(b, t, served[i][1]);
    }
    run_builder_leave(b, t, 200);
    uint32_t first = run_builder_interval(b, t, 10, t, 120);
    uint32_t second = run_builder_interval(b, t, 30, t, 105);
    run_builder_label(b, t, 10, first);
    run_builder_label(b, t, 30, second);
    run_builder_label(b, t, 40, first);
    run_builder_label(b, t, 70, second);
    run_builder_label(b, t, 105, first);
    run_builder_label(b, t, 120, INTERVAL_NONE);
}

int main(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    build(&b);
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        return 1;
    uint64_t loops = calls_of(&result.tree, "loop"), serves = calls_of(&result.tree, "serve");
    bool ok = loops == 2 && serves == 2 + 3; /* the first serve and the last are in both */
    if (!ok)
        printf("loop %llu, expected 2; serve %llu, expected 5\n", (unsigned long long)loops,
               (unsigned long long)serves);
    variance_result_release(&result);
    run_builder_release(&b);
    return ok ? 0 : 1;
}
