/* A call counts once for each interval, also where the thread works for another in between, and
 * where it is in parts, on several threads. */
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

/* One part of a call that was entered at `began`. */
static void add_part(struct run_builder *b, uint32_t thread, uint32_t probe, const time_ns *times)
{
    run_builder_enter(b, thread, times[1], probe, 0);
    struct timeline_thread *t = &b->run.threads[thread];
    t->spans[t->span_count - 1].part = SPAN_PART(times[0], times[0] == times[1]);
    run_builder_leave(b, thread, times[2]);
}

/*   thread 2   |-fiber-|      |-fiber-|-other-|                two calls of fiber, of which the
 * first thread 3            |-fiber-|              |-fiber-|       one has three parts label      C
 * C C C C C C C C C C C C C C C C C C C C     */
static void build_parts(struct run_builder *b)
{
    uint32_t fiber = run_builder_function(b, "fiber", true);
    uint32_t probe = run_builder_probe(b, PROBE_FUNCTION, fiber, FUNCTION_NONE);
    uint32_t t2 = run_builder_thread(b, 200), t3 = run_builder_thread(b, 300);
    static const time_ns on_2[][3] = {{310, 310, 320}, {310, 340, 350}, {352, 352, 356}};
    static const time_ns on_3[][3] = {{310, 325, 335}, {352, 360, 370}};
    uint32_t interval = run_builder_interval(b, t2, 300, t3, 380);
    for (size_t i = 0; i < 3; i++) {
        run_builder_label(b, t2, on_2[i][1], interval);
        add_part(b, t2, probe, on_2[i]);
        run_builder_label(b, t2, on_2[i][2], INTERVAL_NONE);
    }
    for (size_t i = 0; i < 2; i++) {
        run_builder_label(b, t3, on_3[i][1], interval);
        add_part(b, t3, probe, on_3[i]);
        run_builder_label(b, t3, i ? 380 : on_3[i][2], INTERVAL_NONE);
    }
}

int main(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    build(&b);
    build_parts(&b);
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        return 1;
    uint64_t loops = calls_of(&result.tree, "loop"), serves = calls_of(&result.tree, "serve");
    uint64_t fibers = calls_of(&result.tree, "fiber");
    bool ok = loops == 2 && serves == 2 + 3 /* the first serve and the last are in both */
              && fibers == 2;
    if (!ok)
        printf("loop %llu, expected 2; serve %llu, expected 5; fiber %llu, expected 2\n",
               (unsigned long long)loops, (unsigned long long)serves, (unsigned long long)fibers);
    variance_result_release(&result);
    run_builder_release(&b);
    return ok ? 0 : 1;
}
