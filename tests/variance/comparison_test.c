/* Comparisons worked out by hand, and what must hold of any: A with itself, B with A, longer units.
 */
#include "variance/comparison.h"
#include "variance/subject.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaf_times.h"

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (got == expected || fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-12)
        return;
    printf("%s is %.12g, expected %.12g\n", what, got, expected);
    failures++;
}

static void expect_true(const char *what, bool truth)
{
    expect(what, truth, 1);
}

static void expect_text(const char *what, const char *got, const char *expected)
{
    if ((!got && !expected) || (got && expected && strcmp(got, expected) == 0))
        return;
    printf("%s is %s, expected %s\n", what, got ? got : "nothing", expected ? expected : "nothing");
    failures++;
}

/* ---- a side: serve calls lock and parse ---- */

struct side {
    struct run_builder builder;
    struct variance_result result;
    struct sample_side sample;
};

enum { BODY, LOCK, PARSE, LEAVES };

static struct leaf leaves[LEAVES] = {
    {.path = "serve"}, {.path = "serve/lock"}, {.path = "serve/parse"}};

static void side_make(struct side *side, uint32_t intervals)
{
    struct error error;
    static const char *const names[] = {"serve", "lock", "parse"};
    run_builder_init(&side->builder);
    for (int f = 0; f < 3; f++)
        run_builder_function(&side->builder, names[f], true);
    leaf_times_build(&side->builder, leaves, LEAVES, intervals);
    expect_true("analysed",
                variance_analyze(&side->result, &side->builder.run, &side->builder.table, &error));
    side->sample = (struct sample_side){.run = &side->builder.run,
                                        .functions = &side->builder.table,
                                        .tree = &side->result.tree,
                                        .factors = &side->result.factors,
                                        .run_count = 1};
}

static void side_release(struct side *side)
{
    variance_result_release(&side->result);
    run_builder_release(&side->builder);
}

static const struct comparison_options usual = {.margin = 0.05, .factors = 3};

static void compare(struct comparison *comparison, const struct side *a, const struct side *b,
                    const struct comparison_options *options)
{
    struct error error;
    struct sample_side sides[2] = {a->sample, b->sample};
    if (!comparison_make(comparison, sides, options, &error)) {
        printf("%s\n", error.message);
        failures++;
    }
}

static void expect_error(const char *what, const struct side *a, const struct side *b,
                         const char *part)
{
    struct comparison comparison;
    struct error error = {.message = ""};
    struct sample_side sides[2] = {a->sample, b->sample};
    struct comparison_options paired = {.margin = 0.05, .paired = true};
    expect_true(what, !comparison_make(&comparison, sides, &paired, &error));
    expect_true(what, error.code == ERROR_USAGE && strstr(error.message, part));
    comparison_release(&comparison);
}

static const struct comparison_row *row_of(const struct comparison *comparison, const char *name)
{
    for (uint32_t r = 1; r < comparison->row_count; r++)
        if (strcmp(comparison->rows[r].names[0], name) == 0 && !comparison->rows[r].names[1])
            return &comparison->rows[r];
    printf("no row %s\n", name);
    failures++;
    return &comparison->rows[0];
}

/* ---- known answers ---- */

/* In each of 20 blocks of 50 lock takes 0 or 200 us, by turns, and all else is constant: 100 in
 * serve, 50 in parse. In B lock takes 0 or 300. Every block is like every other: nothing is in
 * doubt. mean       A 150 + 100 = 250    B 150 + 150 = 300      +20 %; lock 50/250 the same
 *     variance   A 100^2              B 150^2                +125 %
 *     p50        between 150 and 350  between 150 and 450
 *     p99        A 350                B 450                  +28.57 %; lock 100/350 the same */
static void known_answers(void)
{
    struct side a, b;
    struct comparison c;
    for (int i = 0; i < 1000; i++) {
        leaves[BODY].ns[i] = 100000;
        leaves[PARSE].ns[i] = 50000;
        leaves[LOCK].ns[i] = i % 2 * 200000;
    }
    side_make(&a, 1000);
    for (int i = 0; i < 1000; i++)
        leaves[LOCK].ns[i] = i % 2 * 300000;
    side_make(&b, 1000);
    compare(&c, &a, &b, &usual);
    const struct change *latency = c.rows[0].changes, *lock = row_of(&c, "lock")->changes;
    expect("blocks", c.blocks, 20);
    expect("mean of A", latency[METRIC_MEAN].a, 250000);
    expect("mean of B", latency[METRIC_MEAN].b, 300000);
    expect("mean", latency[METRIC_MEAN].change, 0.2);
    expect("mean, low", latency[METRIC_MEAN].together[0], 0.2);
    expect("mean, high", latency[METRIC_MEAN].ci95[1], 0.2);
    expect("variance of A", latency[METRIC_VARIANCE].a, 1e10);
    expect("variance", latency[METRIC_VARIANCE].change, 1.25);
    expect("p99 of B", latency[METRIC_P99].b, 450000);
    expect("p99", latency[METRIC_P99].change, 100 / 350.0);
    expect("p50 of A", latency[METRIC_P50].a, 250000);
    expect_true("p50 has no verdict", latency[METRIC_P50].verdict == VERDICT_NONE);
    expect_true("p99.9 of 1,000",
                !latency[METRIC_P999].enough && latency[METRIC_P999].ci95[1] == INFINITY);
    expect("mean of serve and below", row_of(&c, "serve")->changes[METRIC_MEAN].a, 250000);
    expect("mean of lock in A", lock[METRIC_MEAN].a, 100000);
    expect("mean of lock", lock[METRIC_MEAN].change, 50 / 250.0);
    expect("variance of lock", lock[METRIC_VARIANCE].change, 1.25);
    expect("p99 of lock", lock[METRIC_P99].change, 100 / 350.0);
    expect_true("worse", c.verdict == VERDICT_WORSE && lock[METRIC_P99].verdict == VERDICT_WORSE);
    comparison_release(&c);
    compare(&c, &b, &a, &usual);
    expect_true("not worse", c.verdict == VERDICT_NOT_WORSE);
    comparison_release(&c);
    /* 55 % of times is 140 % of a variance. */
    compare(&c, &a, &b, &(struct comparison_options){.margin = 0.55, .factors = 1});
    expect_true("within the margin", c.verdict == VERDICT_NOT_WORSE);
    comparison_release(&c);
    side_release(&a);
    side_release(&b);
}

/* lock and parse are long together: 2 Cov is 2 * 100 * 50 us^2 of a latency with 150^2; with lock
 * half as long again, 2 * 150 * 50. */
static void pair(void)
{
    struct side sides[2];
    struct comparison c;
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 1000; i++) {
            leaves[BODY].ns[i] = 100000;
            leaves[PARSE].ns[i] = i % 2 * 100000;
            leaves[LOCK].ns[i] = i % 2 * (s ? 300000 : 200000);
        }
        side_make(&sides[s], 1000);
    }
    compare(&c, &sides[0], &sides[1], &(struct comparison_options){.margin = 0.05, .factors = 10});
    const struct comparison_row *found = NULL;
    for (uint32_t r = 1; r < c.row_count; r++)
        if (c.rows[r].names[1] && strcmp(c.rows[r].names[0], "lock") == 0)
            found = &c.rows[r];
    expect_true("lock and parse", found && strcmp(found->names[1], "parse") == 0);
    if (found) {
        expect("2 Cov in A", found->changes[METRIC_VARIANCE].a, 1e10);
        expect("2 Cov", found->changes[METRIC_VARIANCE].change, 5000 / 22500.0);
        expect_true("no mean", !found->changes[METRIC_MEAN].applies);
    }
    comparison_release(&c);
    for (int s = 0; s < 2; s++)
        side_release(&sides[s]);
}

/* ---- what holds of any ---- */

static uint32_t state;

static uint32_t random_below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static void draw(uint32_t seed, int64_t unit)
{
    state = seed;
    for (int i = 0; i < LEAF_INTERVALS; i++) {
        leaves[BODY].ns[i] = unit * (1000 + random_below(1000));
        leaves[LOCK].ns[i] = unit * (random_below(20) ? 10 : random_below(20000));
        leaves[PARSE].ns[i] = unit * random_below(3000);
    }
}

/* serve calls lock, which calls serve again: its time counts once. */
static void recursion(void)
{
    struct side a;
    struct comparison c;
    leaves[PARSE].path = "serve/lock/serve";
    draw(1, 1);
    side_make(&a, 500);
    compare(&c, &a, &a, &usual);
    expect("serve is all", row_of(&c, "serve")->changes[METRIC_MEAN].a,
           c.rows[0].changes[METRIC_MEAN].a);
    comparison_release(&c);
    side_release(&a);
    leaves[PARSE].path = "serve/parse";
}

static void expect_same(const char *what, const struct change *got, const struct change *expected,
                        double unit)
{
    expect(what, got->a, unit * expected->a);
    expect(what, got->change, expected->change);
    for (int i = 0; i < 2; i++) {
        expect(what, got->ci95[i], expected->ci95[i]);
        expect(what, got->together[i], expected->together[i]);
    }
    expect_true(what, got->verdict == expected->verdict);
}

static void expect_mirrored(const struct change *there, const struct change *back)
{
    expect("there and back", (1 + there->change) * (1 + back->change), 1);
    expect("low and high", (1 + there->ci95[0]) * (1 + back->ci95[1]), 1);
    expect("together", (1 + there->together[1]) * (1 + back->together[0]), 1);
}

static void with_itself(const struct side *a)
{
    struct comparison c;
    compare(&c, a, a, &usual);
    expect_true("rows", c.row_count > 2);
    for (uint32_t r = 0; r < c.row_count; r++)
        for (enum metric m = 0; m < METRIC_JUDGED; m++) {
            const struct change *change = &c.rows[r].changes[m];
            expect("itself", change->change, 0);
            expect("itself, low", change->together[0], 0);
            expect("itself, high", change->together[1], 0);
            expect_true("itself", !change->applies || change->verdict == VERDICT_NOT_WORSE);
        }
    comparison_release(&c);
}

static void laws(void)
{
    struct side a, b, longer[2];
    struct comparison there, back, scaled;
    draw(1, 1);
    side_make(&a, LEAF_INTERVALS);
    draw(2, 1);
    side_make(&b, LEAF_INTERVALS);
    for (int s = 0; s < 2; s++) {
        draw(1 + (uint32_t)s, 7);
        side_make(&longer[s], LEAF_INTERVALS);
    }
    with_itself(&a);
    compare(&there, &a, &b, &usual);
    compare(&back, &b, &a, &usual);
    compare(&scaled, &longer[0], &longer[1], &usual);
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        expect_mirrored(&there.rows[0].changes[m], &back.rows[0].changes[m]);
    expect("as many rows", scaled.row_count, there.row_count);
    for (uint32_t r = 0; r < there.row_count; r++)
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            expect_same("in other units", &scaled.rows[r].changes[m], &there.rows[r].changes[m],
                        m == METRIC_VARIANCE ? 49 : 7);
    const struct change *lock = row_of(&there, "lock")->changes;
    const struct change *kcol = row_of(&back, "lock")->changes;
    expect("a factor there and back", lock[METRIC_MEAN].b - lock[METRIC_MEAN].a,
           kcol[METRIC_MEAN].a - kcol[METRIC_MEAN].b);
    struct comparison *all[] = {&there, &back, &scaled};
    for (int i = 0; i < 3; i++)
        comparison_release(all[i]);
    struct side *sides[] = {&a, &b, &longer[0], &longer[1]};
    for (int i = 0; i < 4; i++)
        side_release(sides[i]);
}

/* ---- runs as blocks ---- */

/* Four runs of 150; in B each is as much longer as in A: 10 us in the first, 20 in the second, ...
 * and 100 us more in all. Paired, nothing is in doubt; with runs in another order, all is. */
static void pairs_of_runs(void)
{
    enum { RUNS = 4, EACH = 150 };
    struct side sides[2];
    uint32_t run_of_process[RUNS] = {0, 1, 2, 3};
    struct comparison c;
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < RUNS * EACH; i++) {
            leaves[BODY].ns[i] = 1000000 + i / EACH * 10000 + s * 100000;
            leaves[LOCK].ns[i] = i % 10 * 1000;
            leaves[PARSE].ns[i] = 1;
        }
        side_make(&sides[s], RUNS * EACH);
        for (uint32_t i = 0; i < RUNS * EACH; i++)
            sides[s].builder.run.intervals[i].process = i / EACH;
        sides[s].sample.run_of_process = run_of_process;
        sides[s].sample.run_count = RUNS;
    }
    compare(&c, &sides[0], &sides[1], &(struct comparison_options){.margin = 0.05, .paired = true});
    expect("blocks are runs", c.blocks, RUNS);
    expect_true("of runs", c.of_runs && c.row_count == 1);
    const struct change *mean = &c.rows[0].changes[METRIC_MEAN];
    expect("mean of A", mean->a, 1019501);
    expect("mean", mean->change, 100000 / 1019501.0);
    expect_true("surely", mean->together[1] - mean->together[0] < 0.05);
    expect_true("few for a p99", !c.rows[0].changes[METRIC_P99].enough);
    expect("how many more", c.rows[0].changes[METRIC_P99].more, 1000 / 600.0);
    expect_true("worse", c.verdict == VERDICT_WORSE);
    comparison_release(&c);
    for (int s = 0; s < 2; s++)
        side_release(&sides[s]);
}

/* ---- what can't be compared ---- */

/* Made anew of the leaves but for lock, which is not timed; of the first `count` functions. */
static void side_make_untimed(struct side *side, const char *const *names, int count)
{
    struct leaf untimed[] = {{.path = "serve"}, {.path = "serve/parse"}};
    struct error error;
    memcpy(untimed[0].ns, leaves[BODY].ns, sizeof untimed[0].ns);
    memcpy(untimed[1].ns, leaves[PARSE].ns, sizeof untimed[1].ns);
    side_release(side);
    run_builder_init(&side->builder);
    for (int f = 0; f < count; f++)
        run_builder_function(&side->builder, names[f], true);
    leaf_times_build(&side->builder, untimed, 2, 500);
    variance_analyze(&side->result, &side->builder.run, &side->builder.table, &error);
}

static void blind_sides(void)
{
    struct side a, b;
    struct comparison c;
    draw(1, 1);
    side_make(&a, 500);
    draw(2, 1);
    for (int i = 0; i < LEAF_INTERVALS; i++)
        leaves[LOCK].ns[i] = 0;
    side_make(&b, 500);
    compare(&c, &a, &b, &usual);
    expect_text("timed, and took no time", row_of(&c, "lock")->blind[1], NULL);
    expect("lock took nothing in B", row_of(&c, "lock")->changes[METRIC_MEAN].b, 0);
    comparison_release(&c);
    static const char *const names[] = {"serve", "parse", "lock"};
    side_make_untimed(&b, names, 3);
    compare(&c, &a, &b, &usual);
    expect_text("B is blind", row_of(&c, "lock")->blind[1], "lock");
    expect_true("not judged", !row_of(&c, "lock")->changes[METRIC_MEAN].applies);
    expect_text("A is not", row_of(&c, "lock")->blind[0], NULL);
    expect("one side", c.timed_in_one, 1);
    expect_text("which", c.timed_in_one_name, "lock");
    comparison_release(&c);
    side_make_untimed(&b, names, 2); /* there is no lock in B: then it took no time */
    compare(&c, &a, &b, &(struct comparison_options){.margin = 0.05, .factors = 1});
    expect("lock is gone", c.timed_in_one, 0);
    comparison_release(&c);
    side_release(&a);
    side_release(&b);
}

/* A times the naps of lock and of parse, B those of parse alone. */
static void blind_calls(void)
{
    struct side sides[2];
    struct sample_side samples[2];
    draw(1, 1);
    for (int s = 0; s < 2; s++) {
        struct run_builder *builder = &sides[s].builder;
        side_make(&sides[s], 200);
        uint32_t nap = run_builder_function(builder, "nap", false);
        for (uint32_t caller = s == 0 ? LOCK : PARSE; caller <= PARSE; caller++)
            run_builder_probe(builder, PROBE_CALL, nap, caller);
        run_builder_call(builder, LOCK, nap);
        run_builder_call(builder, PARSE, nap);
        samples[s] = sides[s].sample;
    }
    struct subject nap = {.kind = FACTOR_VARIANCE, .node_kinds = {NODE_FUNCTION}, .names = {"nap"}};
    struct timed_functions timed;
    timed_functions_init(&timed, samples);
    expect_text("A times what B does", subject_blind(&nap, samples, 0, &timed), NULL);
    expect_text("B lacks a caller", subject_blind(&nap, samples, 1, &timed), "nap");
    expect("calls of one side", timed.one_side, 1);
    timed_functions_release(&timed);
    sides[1].builder.table.functions[LOCK].callee_count = 0; /* no nap there: it takes no time */
    timed_functions_init(&timed, samples);
    expect_text("the call is gone", subject_blind(&nap, samples, 1, &timed), NULL);
    expect("nothing of one side", timed.one_side, 0);
    timed_functions_release(&timed);
    side_release(&sides[0]);
    side_release(&sides[1]);
}

static void other_intervals(void)
{
    struct side a, b;
    draw(1, 1);
    side_make(&a, 300);
    side_make(&b, 300);
    a.builder.table.functions[0].marks = b.builder.table.functions[1].marks = true;
    expect_error("marks", &a, &b, "A's are marked in serve, B's in lock");
    b.builder.table.functions[0].marks = true;
    b.builder.run.clock = "monotonic";
    expect_error("clock", &a, &b, "the clock tsc, B with monotonic");
    b.builder.run.clock = "tsc";
    b.sample.run_count = 2;
    expect_error("pairs", &a, &b, "A has 1, B 2");
    b.sample.run_count = 1;
    struct interval_type_summary browse = {.name = "browse"}, buy = {.name = "buy"};
    a.result.tree.intervals.types = &browse;
    b.result.tree.intervals.types = &buy;
    a.result.tree.intervals.type_count = b.result.tree.intervals.type_count = 1;
    expect_error("types", &a, &b, "A's are of type browse, B's of type buy");
    side_release(&a);
    side_release(&b);
}

static void few(void)
{
    struct side a;
    struct comparison c;
    draw(3, 1);
    for (uint32_t count = 1; count < 120; count += 1 + count / 3) {
        side_make(&a, count);
        compare(&c, &a, &a, &usual);
        bool enough = count >= 100;
        expect_true("mean", c.rows[0].changes[METRIC_MEAN].verdict ==
                                (enough ? VERDICT_NOT_WORSE : VERDICT_INCONCLUSIVE));
        if (!enough)
            expect("more", c.rows[0].changes[METRIC_MEAN].more, 100.0 / count);
        expect_true("p99", c.verdict == VERDICT_INCONCLUSIVE);
        comparison_release(&c);
        side_release(&a);
    }
}

int main(void)
{
    known_answers();
    pair();
    recursion();
    laws();
    pairs_of_runs();
    blind_sides();
    blind_calls();
    other_intervals();
    few();
    printf("%d failed\n", failures);
    return failures != 0;
}
