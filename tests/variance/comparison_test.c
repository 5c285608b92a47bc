/* Comparisons worked out by hand, and what must hold of any: A with itself, B with A, longer units.
 */
#include "stats/student.h"
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

static const struct difference_node *node_of(const struct comparison *comparison, const char *name)
{
    const struct difference *difference = &comparison->difference;
    for (uint32_t n = 0; n < difference->node_count; n++)
        if (strcmp(difference->nodes[n].name, name) == 0)
            return &difference->nodes[n];
    printf("no node %s\n", name);
    failures++;
    return &difference->nodes[0];
}

static double counted(const struct histogram *histogram)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < histogram->bin_count; i++)
        count += histogram->counts[i];
    return (double)count;
}

/* Who does it adds up to the latency, in both ways and on both sides. */
static void expect_sums(const struct comparison *c)
{
    const struct change *latency[] = {&c->rows[0].changes[METRIC_MEAN],
                                      &c->rows[0].changes[METRIC_VARIANCE]};
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
        double a = 0, b = 0, change = 0;
        for (uint32_t i = 0; i < c->roots.count; i++) {
            a += c->roots.lines[i].changes[way].a;
            b += c->roots.lines[i].changes[way].b;
            change += c->roots.lines[i].changes[way].change;
        }
        expect("of A", a, latency[way]->a);
        expect("of B", b, latency[way]->b);
        expect("changes", change, latency[way]->change);
    }
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
    const struct difference_node *tree_lock = node_of(&c, "lock"), *body = node_of(&c, "parse");
    expect("lock in the tree", tree_lock->changes[DIFFERENCE_MEAN].change, 50 / 250.0);
    expect("surely", tree_lock->changes[DIFFERENCE_MEAN].together[1], 50 / 250.0);
    expect("its covariance", tree_lock->changes[DIFFERENCE_VARIANCE].a, 1e10);
    expect("its covariance in B", tree_lock->changes[DIFFERENCE_VARIANCE].b, 2.25e10);
    expect("its part of it", tree_lock->changes[DIFFERENCE_VARIANCE].change, 1.25);
    expect("its share", tree_lock->part[DIFFERENCE_VARIANCE][1], 1);
    expect("parse stays", body->changes[DIFFERENCE_MEAN].change, 0);
    expect_true("the root's is the latency's",
                c.difference.nodes[0].changes[DIFFERENCE_VARIANCE].change == 1.25);
    expect("bins of both", (double)c.histograms[0].edges[0], (double)c.histograms[1].edges[0]);
    expect("all are counted", counted(&c.histograms[0]), 1000);
    expect("of B too", counted(&c.histograms[1]), 1000);
    comparison_release(&c);
    compare(&c, &b, &a, &usual);
    expect_true("better", c.verdict == VERDICT_BETTER && !c.may_be_worse);
    comparison_release(&c);
    /* 55 % of times is 140 % of a variance. */
    compare(&c, &a, &b, &(struct comparison_options){.margin = 0.55, .factors = 1});
    expect_true("within the margin", c.verdict == VERDICT_SAME);
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

/* What is worse one way is better the other. */
static void expect_turned(enum verdict there, enum verdict back)
{
    static const enum verdict turned[] = {VERDICT_NONE, VERDICT_WORSE, VERDICT_SAME,
                                          VERDICT_INCONCLUSIVE, VERDICT_BETTER};
    expect("turned", back, turned[there]);
}

static void expect_mirrored(const struct change *there, const struct change *back)
{
    expect("margins", (1 + there->margins[0]) * (1 + back->margins[1]), 1);
    expect_turned(there->verdict, back->verdict);
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
            expect_true("itself", !change->applies || change->verdict == VERDICT_SAME);
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

/* ---- verdicts ---- */

/* Ends of intervals at, below and above each margin: one verdict fits each pair. */
static void one_verdict_each(void)
{
    static const double ends[] = {-0.3, -0.06, -1 / 21.0, -0.02, 0, 0.03, 0.05, 0.07, 0.4};
    enum { ENDS = sizeof ends / sizeof *ends };
    unsigned met[VERDICT_WORSE + 1] = {0};
    for (int i = 0; i < ENDS; i++)
        for (int j = i; j < ENDS; j++) {
            /* Two blocks at the ends of an interval of the logarithm give it with t = 12.7. */
            struct jackknife_sum sides[2] = {{1, {1, 1}}, {0, {0, 0}}};
            double low = log1p(ends[i]), high = log1p(ends[j]), middle = exp((low + high) / 2);
            double half = (high - low) / 2 / student_beyond(0.05, 1);
            sides[1] = (struct jackknife_sum){middle, {middle * exp(half), middle * exp(-half)}};
            struct change_rule rule = {.margin = 0.05, .outside = 0.05, .count = 1e6, .blocks = 2};
            struct change c;
            change_judge(&c, METRIC_MEAN, sides, NULL, &rule);
            double margins[2] = {1 / 1.05 - 1, 0.05}, near = 1e-12;
            bool worse = c.together[0] > margins[1] + near;
            bool better = c.together[1] < margins[0] - near;
            bool same = c.together[0] > margins[0] + near && c.together[1] < margins[1] - near;
            expect("low", c.together[0], ends[i]);
            expect("high", c.together[1], ends[j]);
            expect_true("one of them", worse + better + same <= 1);
            expect_true("worse", !worse || c.verdict == VERDICT_WORSE);
            expect_true("better", !better || c.verdict == VERDICT_BETTER);
            expect_true("same", !same || c.verdict == VERDICT_SAME);
            expect_true("not worse", c.verdict == VERDICT_WORSE ? !c.not_worse : true);
            met[c.verdict]++;
        }
    for (enum verdict v = VERDICT_BETTER; v <= VERDICT_WORSE; v++)
        expect_true(verdict_name(v), met[v] > 0);
    expect("none without", met[VERDICT_NONE], 0);
}

/* ---- sides that do not vary, and ratios that are not known ---- */

static void make_constant(struct side *side, int64_t lock, int64_t by_turns)
{
    for (int i = 0; i < 1000; i++) {
        leaves[BODY].ns[i] = 1000;
        leaves[PARSE].ns[i] = 1000;
        leaves[LOCK].ns[i] = lock + i % 2 * by_turns;
    }
    side_make(side, 1000);
}

static void expect_change(const char *what, const struct change *change, enum verdict verdict,
                          enum change_gap gap)
{
    expect(what, change->verdict, verdict);
    expect(what, change->gap, gap);
    bool bounded = isfinite(change->together[0]) && isfinite(change->together[1]);
    expect_true(what, bounded == (gap == GAP_NONE));
}

static void constant_sides(void)
{
    struct side still, other, moving;
    struct comparison c;
    make_constant(&still, 1000, 0);
    make_constant(&other, 4000, 0);
    make_constant(&moving, 1000, 1000);
    compare(&c, &still, &other, &usual);
    expect_change("mean", &c.rows[0].changes[METRIC_MEAN], VERDICT_WORSE, GAP_NONE);
    expect_change("neither varies", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_SAME, GAP_NONE);
    expect("by nothing", c.rows[0].changes[METRIC_VARIANCE].change, 0);
    comparison_release(&c);
    compare(&c, &still, &moving, &usual);
    const struct change *variance = &c.rows[0].changes[METRIC_VARIANCE];
    expect_change("A does not vary", variance, VERDICT_WORSE, GAP_ZERO);
    expect_true("without bounds", variance->change == INFINITY);
    comparison_release(&c);
    compare(&c, &moving, &still, &usual);
    expect_change("B does not vary", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_BETTER, GAP_NONE);
    expect("all of it", c.rows[0].changes[METRIC_VARIANCE].change, -1);
    comparison_release(&c);
    struct side *sides[] = {&still, &other, &moving};
    for (int i = 0; i < 3; i++)
        side_release(sides[i]);
}

/* One interval in a thousand is long: whether B ever has such ones nobody knows. */
static void one_outlier(void)
{
    struct side still, rare;
    struct comparison c;
    make_constant(&still, 1000, 0);
    leaves[LOCK].ns[500] = 1000000;
    side_make(&rare, 1000);
    compare(&c, &still, &rare, &usual);
    expect_change("an outlier", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_INCONCLUSIVE,
                  GAP_ZERO);
    expect_true("nobody knows how many it takes",
                c.rows[0].changes[METRIC_VARIANCE].more == INFINITY);
    comparison_release(&c);
    compare(&c, &rare, &still, &usual);
    expect_change("none of it", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_INCONCLUSIVE,
                  GAP_ZERO);
    comparison_release(&c);
    side_release(&still);
    side_release(&rare);
}

static void huge_ratio(void)
{
    struct side a, b;
    struct comparison c;
    make_constant(&a, 1000, 2);
    make_constant(&b, 1000, 200000000);
    compare(&c, &a, &b, &usual);
    expect("1e16 times", c.rows[0].changes[METRIC_VARIANCE].change, 1e16 - 1);
    expect_change("huge", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_WORSE, GAP_NONE);
    comparison_release(&c);
    compare(&c, &b, &a, &usual);
    expect_change("tiny", &c.rows[0].changes[METRIC_VARIANCE], VERDICT_BETTER, GAP_NONE);
    comparison_release(&c);
    side_release(&a);
    side_release(&b);
}

/* Each number has an interval, or a reason why it has none. */
static void expect_reasons(const struct comparison *c)
{
    for (uint32_t r = 0; r < c->row_count; r++)
        for (enum metric m = 0; m < METRIC_COUNT; m++) {
            const struct change *change = &c->rows[r].changes[m];
            const double *shown = change_shown(change);
            bool bounded = isfinite(shown[0]) && isfinite(shown[1]);
            expect_true("an interval or a reason",
                        !change->applies || bounded == (change->gap == GAP_NONE));
        }
    for (uint32_t n = 0; n < c->difference.node_count; n++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
            const struct change *change = &c->difference.nodes[n].changes[way];
            const double *shown = change_shown(change);
            bool bounded = isfinite(shown[0]) && isfinite(shown[1]);
            expect_true("an interval or a reason in the tree",
                        !change->applies || bounded == (change->gap == GAP_NONE));
        }
}

static void one_interval(void)
{
    struct side a, b;
    struct comparison c;
    draw(1, 1);
    side_make(&a, 1);
    side_make(&b, 300);
    compare(&c, &a, &b, &usual);
    expect_true("nothing is said", c.verdict == VERDICT_INCONCLUSIVE && c.may_be_worse);
    expect_change("of one", &c.rows[0].changes[METRIC_MEAN], VERDICT_INCONCLUSIVE, GAP_FEW);
    expect_reasons(&c);
    comparison_release(&c);
    compare(&c, &a, &a, &usual);
    expect_change("one with itself", &c.rows[0].changes[METRIC_MEAN], VERDICT_INCONCLUSIVE,
                  GAP_FEW);
    expect_reasons(&c);
    comparison_release(&c);
    compare(&c, &b, &b, &usual);
    expect_reasons(&c);
    comparison_release(&c);
    side_release(&a);
    side_release(&b);
}

/* A side whose threads waited for a processor by a twentieth more of the time is starved; where one
 * side's is not known, nothing is said. */
static void starved(void)
{
    static const struct {
        double waited[2];
        enum starved starved;
    } cases[] = {{{0.02, 0.06}, STARVED_NONE}, {{0.02, 0.08}, STARVED_B}, {{0.31, 0.02}, STARVED_A},
                 {{-1, 0.9}, STARVED_NONE},    {{0.9, -1}, STARVED_NONE}, {{-1, -1}, STARVED_NONE}};
    struct side a, b;
    draw(1, 1);
    side_make(&a, 500);
    side_make(&b, 500);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct comparison c;
        a.sample.waited = cases[i].waited[0];
        b.sample.waited = cases[i].waited[1];
        compare(&c, &a, &b, &usual);
        expect("starved", c.starved, cases[i].starved);
        comparison_release(&c);
    }
    side_release(&a);
    side_release(&b);
}

/* B's functions have other names, as those of another program. */
static void nothing_in_common(void)
{
    static const char *const names[] = {"main", "answer"};
    struct leaf others[] = {{.path = "main"}, {.path = "main/answer"}};
    struct side a, b;
    struct comparison c;
    struct error error;
    draw(1, 1);
    side_make(&a, 500);
    for (int i = 0; i < 500; i++) {
        others[0].ns[i] = leaves[BODY].ns[i] + leaves[LOCK].ns[i];
        others[1].ns[i] = leaves[PARSE].ns[i];
    }
    run_builder_init(&b.builder);
    for (int f = 0; f < 2; f++)
        run_builder_function(&b.builder, names[f], true);
    leaf_times_build(&b.builder, others, 2, 500);
    variance_analyze(&b.result, &b.builder.run, &b.builder.table, &error);
    b.sample = (struct sample_side){
        &b.builder.run, &b.builder.table, &b.result.tree, &b.result.factors, NULL, 1, 0};
    compare(&c, &a, &b, &usual);
    expect_true("nothing", c.nothing_in_common);
    expect("the latency alone", c.row_count, 1);
    expect("no tree", c.difference.node_count, 0);
    expect_true("which is judged", c.rows[0].changes[METRIC_MEAN].verdict == VERDICT_SAME);
    comparison_release(&c);
    side_release(&a);
    side_release(&b);
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
    expect_text("it is in the tree", node_of(&c, "lock")->blind, NULL);
    expect("gone there", node_of(&c, "lock")->changes[DIFFERENCE_MEAN].b, 0);
    expect_true("which is told", change_is_told(&node_of(&c, "lock")->changes[DIFFERENCE_MEAN]));
    expect_sums(&c);
    comparison_release(&c);
    static const char *const names[] = {"serve", "parse", "lock"};
    side_make_untimed(&b, names, 3);
    compare(&c, &a, &b, &usual);
    expect_text("B is blind", row_of(&c, "lock")->blind[1], "lock");
    expect_true("not judged", !row_of(&c, "lock")->changes[METRIC_MEAN].applies);
    expect_text("A is not", row_of(&c, "lock")->blind[0], NULL);
    expect_text("so is the tree", node_of(&c, "lock")->blind, "lock");
    expect_text("and what stands beside it", node_of(&c, "parse")->blind, "lock");
    expect_true("not compared", !node_of(&c, "parse")->changes[DIFFERENCE_MEAN].applies);
    expect_text("but not what is above", node_of(&c, "serve")->blind, NULL);
    expect_text("nor can it be told who does it", c.roots.blind, "lock");
    for (uint32_t i = 0; i < c.roots.count; i++)
        expect_true("no function's line", !c.roots.lines[i].changes[DIFFERENCE_MEAN].applies ||
                                              c.roots.lines[i].kind != OWNER_FUNCTION);
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

/* A lock that both know by one name keeps it; one that is told by a place of the source does not. */
static void names_of_objects(void)
{
    struct tree_node a[] = {{.name = "lock (queue.lock)", .plain = "lock", .object = "queue.lock"},
                            {.name = "lock (s.c:41)", .plain = "lock", .object = "s.c:41"},
                            {.name = "parse", .plain = "parse"}};
    struct tree_node b[] = {{.name = "lock (queue.lock)", .plain = "lock", .object = "queue.lock"},
                            {.name = "lock (s.c:43)", .plain = "lock", .object = "s.c:43"}};
    struct variance_tree trees[] = {{.nodes = a, .node_count = 3}, {.nodes = b, .node_count = 2}};
    struct shared_names names;
    shared_names_init(&names, &trees[0], &trees[1]);
    expect_text("a name", shared_name(&names, &a[0]), "lock (queue.lock)");
    expect_text("a place of A", shared_name(&names, &a[1]), "lock");
    expect_text("a place of B", shared_name(&names, &b[1]), "lock");
    expect_text("no object", shared_name(&names, &a[2]), "parse");
    expect_text("nothing is asked", shared_name(NULL, &a[1]), "lock (s.c:41)");
    shared_names_release(&names);
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
                                (enough ? VERDICT_SAME : VERDICT_INCONCLUSIVE));
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
    one_verdict_each();
    constant_sides();
    one_outlier();
    huge_ratio();
    one_interval();
    starved();
    nothing_in_common();
    blind_sides();
    blind_calls();
    names_of_objects();
    other_intervals();
    few();
    printf("%d failed\n", failures);
    return failures != 0;
}
