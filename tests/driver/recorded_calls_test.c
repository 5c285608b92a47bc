/* recorded_calls_test.c - which calls count, in a run of two threads.
 *
 *   interval         200-------------600
 *   A    |-early 100----------------------------700|
 *              |-serve 210--[lock 220-230]--400|  |-late 650-660|
 *   B                 |-compact 300-350|  |-compact 500-900------|
 */
#include <stdio.h>

#include "driver/loop/recorded_calls.h"
#include "run_builder.h"

static int failed;

static void expect(uint64_t count, uint64_t expected, const char *what)
{
    if (count != expected)
        printf("FAILED: %s: %llu\n", what, (unsigned long long)count);
    failed += count != expected;
}

int main(void)
{
    struct run_builder b;
    struct recorded_calls calls;
    run_builder_init(&b);
    uint32_t early = run_builder_function(&b, "early", true);
    uint32_t serve = run_builder_function(&b, "serve", true);
    uint32_t compact = run_builder_function(&b, "compact", true);
    uint32_t lock = run_builder_function(&b, "lock", false);
    uint32_t p_early = run_builder_probe(&b, PROBE_FUNCTION, early, FUNCTION_NONE);
    uint32_t p_serve = run_builder_probe(&b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t p_compact = run_builder_probe(&b, PROBE_FUNCTION, compact, FUNCTION_NONE);
    uint32_t lock_in_serve = run_builder_probe(&b, PROBE_SYNC, lock, serve);
    uint32_t A = run_builder_thread(&b, 100), B = run_builder_thread(&b, 200);
    recorded_calls_count(&calls, &b.run, &b.table);
    expect(calls.all, 0, "no interval, no call");
    recorded_calls_release(&calls);
    run_builder_interval(&b, A, 200, A, 600);
    run_builder_enter(&b, A, 100, p_early, 0);
    run_builder_enter(&b, A, 210, p_serve, 0);
    run_builder_enter(&b, A, 220, lock_in_serve, 0);
    run_builder_leave(&b, A, 230);
    run_builder_leave(&b, A, 400);
    run_builder_enter(&b, A, 650, p_early, 0);
    run_builder_leave(&b, A, 660);
    run_builder_leave(&b, A, 700);
    run_builder_enter(&b, B, 300, p_compact, 0);
    run_builder_leave(&b, B, 350);
    run_builder_enter(&b, B, 500, p_compact, 0);
    run_builder_leave(&b, B, 900);
    recorded_calls_count(&calls, &b.run, &b.table);
    expect((uint64_t)calls.stretch_ns, 400, "from the first begin to the last end");
    expect(calls.of[early], 0, "it began before, and after");
    expect(calls.of[serve], 2, "with the call in it");
    expect(calls.of[compact], 2, "also off the path, and what goes on");
    expect(calls.of[lock], 0, "it is its caller's");
    expect(calls.all, 4, "all");
    recorded_calls_release(&calls);
    run_builder_release(&b);
    return failed != 0;
}
