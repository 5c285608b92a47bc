/* variance/root_ledger.h: who does it, in worlds whose sums are worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaf_times.h"
#include "stats/exact_moments.h"

enum { INTERVALS = 40 };

static int failures;
static struct run_builder b;
static struct variance_result result;

static void expect(const char *what, bool holds)
{
    if (holds)
        return;
    printf("%s\n", what);
    failures++;
}

static void expect_sum(const char *what, __int128 got, long long expected)
{
    if (got == expected)
        return;
    printf("%s: %lld, and not %lld\n", what, (long long)got, expected);
    failures++;
}

static void analyze(void)
{
    struct error error;
    expect("it can be analysed", variance_analyze(&result, &b.run, &b.table, &error));
    const char *broken = root_ledger_check(&result.roots, &result.tree);
    expect(broken ? broken : "", !broken);
}

static const struct ledger_line *line_of(const char *name)
{
    static const struct ledger_line none;
    for (uint32_t i = 0; i < result.roots.count; i++)
        if (strcmp(result.roots.lines[i].name, name) == 0)
            return &result.roots.lines[i];
    return &none;
}

static void release(void)
{
    variance_result_release(&result);
    run_builder_release(&b);
}

/* A request walks a table itself and waits for one that does:
 *   A  handle[0    lock[10    10+w]  compact[60  60+c]  100+w+c]      B lets go 2 before A goes on
 *   B       compact[0 ...        10+w-2]                                                        */
static void own_and_waits(void)
{
    run_builder_init(&b);
    uint32_t handle = run_builder_function(&b, "handle", true);
    uint32_t compact = run_builder_function(&b, "compact", true);
    uint32_t lock = run_builder_function(&b, "lock", false);
    uint32_t p_handle = run_builder_probe(&b, PROBE_FUNCTION, handle, FUNCTION_NONE);
    uint32_t p_compact = run_builder_probe(&b, PROBE_FUNCTION, compact, FUNCTION_NONE);
    uint32_t p_lock = run_builder_probe(&b, PROBE_CALL, lock, handle);
    uint32_t unlock = run_builder_probe(&b, PROBE_CALL, lock, compact);
    uint32_t a = run_builder_thread(&b, 1), other = run_builder_thread(&b, 2);
    long long waits = 0, own = 0, rest = 0;
    for (int i = 0; i < INTERVALS; i++) {
        time_ns at = 10000 * (i + 1), w = i % 4 ? 20 : 900, c = i % 5 ? 10 : 500;
        time_ns end = at + 100 + w + c;
        uint32_t interval = run_builder_interval(&b, a, at, a, end);
        run_builder_label(&b, a, at, interval);
        run_builder_enter(&b, a, at, p_handle, 0);
        run_builder_enter(&b, a, at + 10, p_lock, 0);
        run_builder_block(&b, a,
                          (struct block){at + 10, at + 10 + w, 7, p_lock, TRACE_OP_MUTEX, other,
                                         unlock, at + 8 + w, false, false, 0, HOLD_NONE, 0});
        run_builder_leave(&b, a, at + 10 + w);
        run_builder_enter(&b, a, at + 60 + w, p_compact, 0);
        run_builder_leave(&b, a, at + 60 + w + c);
        run_builder_leave(&b, a, end);
        run_builder_label(&b, a, end, INTERVAL_NONE);
        run_builder_enter(&b, other, at, p_compact, 0);
        run_builder_leave(&b, other, at + 8 + w);
        waits += w - 2;
        own += c;
        rest += 100;
    }
    analyze();
    const struct ledger_line *line = line_of("compact");
    expect("the first line is compact", line == result.roots.lines);
    expect_sum("compact's own", line->own.sum, own);
    expect_sum("compact's waits", line->waits.sum, waits);
    expect_sum("wake-up latency", line_of("wake-up latency")->all.sum, 2 * INTERVALS);
    expect_sum("handle", line_of("handle")->all.sum, rest);
    expect("two sides, two parts", line->part_count == 2);
    expect("waited for in the call", !strcmp(line->parts[0].in ? line->parts[0].in : "", "lock"));
    expect("of no other thread's", !line->parts[0].thread && !line->parts[0].type);
    double shares =
        line->all.share + line_of("handle")->all.share + line_of("wake-up latency")->all.share;
    expect("the shares add up to 1", fabs(shares - 1) < 1e-12);
    expect("the share lies in its interval",
           line->ci95[0] <= line->all.share && line->all.share <= line->ci95[1]);
    release();
}

static void function(const char *name)
{
    run_builder_function(&b, name, true);
}

/* Who calls it says how long spin takes. Nobody says how long flush does. */
static void helpers(void)
{
    static struct leaf leaves[] = {
        {.path = "parse"},  {.path = "parse/spin"},   {.path = "audit"}, {.path = "audit/spin"},
        {.path = "commit"}, {.path = "commit/flush"}, {.path = "abort"}, {.path = "abort/flush"}};
    static const char *const names[] = {"parse", "audit", "commit", "abort", "spin", "flush"};
    long long audit = 0, flush = 0;
    run_builder_init(&b);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        function(names[i]);
    for (int i = 0; i < INTERVALS; i++) {
        leaves[0].ns[i] = leaves[2].ns[i] = leaves[4].ns[i] = leaves[6].ns[i] = 10;
        leaves[1].ns[i] = 50;
        leaves[3].ns[i] = i % 8 ? 400 : 9000;
        leaves[5].ns[i] = i % 3 ? 100 : 1500;
        leaves[7].ns[i] = i % 3 == 1 ? 1500 : 100;
        audit += 10 + leaves[3].ns[i];
        flush += leaves[5].ns[i] + leaves[7].ns[i];
    }
    leaf_times_build(&b, leaves, 8, INTERVALS);
    analyze();
    expect_sum("audit has what it makes spin", line_of("audit")->all.sum, audit);
    expect("it is done in spin",
           line_of("audit")->ways[0].name && !strcmp(line_of("audit")->ways[0].name, "spin"));
    expect_sum("parse has its own", line_of("parse")->all.sum, 60 * INTERVALS);
    expect_sum("spin has none", line_of("spin")->all.sum, 0);
    expect_sum("flush is slow by itself", line_of("flush")->all.sum, flush);
    release();
}

/* Open and build are slow in the same requests, whatever it is in spin that both call. */
static void slow_together(void)
{
    static struct leaf leaves[] = {
        {.path = "open"}, {.path = "open/spin"}, {.path = "build"}, {.path = "build/spin"}};
    long long all = 0;
    run_builder_init(&b);
    function("open");
    function("build");
    function("spin");
    for (int i = 0; i < INTERVALS; i++) {
        leaves[0].ns[i] = leaves[2].ns[i] = 5;
        leaves[1].ns[i] = i % 5 ? 100 + i % 3 : 2000;
        leaves[3].ns[i] = i % 5 ? 100 + i % 4 : 2010;
        all += 5 + leaves[1].ns[i];
    }
    leaf_times_build(&b, leaves, 4, INTERVALS);
    analyze();
    expect_sum("what open spins is its own", line_of("open")->all.sum, all);
    expect_sum("spin has none", line_of("spin")->all.sum, 0);
    release();
}

/* A line of one leaf is the factor of that leaf: share and interval. */
static void like_a_factor(void)
{
    static struct leaf leaves[] = {{.path = "parse"}, {.path = "reply"}};
    run_builder_init(&b);
    function("parse");
    function("reply");
    for (int i = 0; i < INTERVALS; i++) {
        leaves[0].ns[i] = 100 + (i * 7919) % 331;
        leaves[1].ns[i] = 50 + (i * 104729) % 97;
    }
    leaf_times_build(&b, leaves, 2, INTERVALS);
    analyze();
    for (uint32_t i = 0; i < result.factors.count; i++) {
        const struct factor *factor = &result.factors.factors[i];
        if (factor->kind != FACTOR_VARIANCE)
            continue;
        const struct ledger_line *line = line_of(factor->names[0]);
        expect("the share is the factor's", line->all.share == factor->share);
        expect("so is its interval",
               line->ci95[0] == factor->share_ci95[0] && line->ci95[1] == factor->share_ci95[1]);
        expect("and the tail's", line->all.tail_share == factor->tail_share);
    }
    release();
}

/* One of 2,000 intervals has nearly all of the variance. */
static void outlier(time_ns pause, uint32_t expected)
{
    static struct leaf leaves[] = {{.path = "parse"}, {.path = "collect"}};
    struct variance_result without;
    struct error error;
    run_builder_init(&b);
    function("parse");
    function("collect");
    for (int i = 0; i < LEAF_INTERVALS; i++) {
        leaves[0].ns[i] = 1000 + (i * 7919) % 331;
        leaves[1].ns[i] = i == 777 ? pause : 5;
    }
    leaf_times_build(&b, leaves, 2, LEAF_INTERVALS);
    analyze();
    expect("it is found, or is none", result.outliers.count == expected);
    if (expected && variance_analyze_without(&without, &b.run, &b.table, 1, &error)) {
        outliers_explain(&result.outliers, &result.roots, &without.roots);
        expect("one is left out", without.tree.intervals.count == LEAF_INTERVALS - 1);
        expect("and is not incomplete", without.tree.intervals.incomplete == 0);
        expect("its cause is told", !strcmp(result.outliers.cause->name, "collect"));
        expect("and how long it took", result.outliers.cause_ns == (double)pause);
        expect("the others vary by parse", !strcmp(without.roots.lines[0].name, "parse"));
        variance_result_release(&without);
    }
    release();
}

int main(void)
{
    own_and_waits();
    helpers();
    slow_together();
    like_a_factor();
    outlier(100000, 1);
    outlier(3000, 0);
    return failures != 0;
}
