/* What goes with the size of the work, worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaf_times.h"
#include "variance/variance.h"

static int failures;

static void expect_number(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-9 * (fabs(expected) + 1))
        return;
    printf("%s is %.12g, expected %.12g\n", what, got, expected);
    failures++;
}

static void expect_text(const char *what, const char *got, const char *expected)
{
    if (!strcmp(got, expected))
        return;
    printf("%s is %s, expected %s\n", what, got, expected);
    failures++;
}

static void analyze(struct run_builder *b, struct variance_result *result,
                    const struct leaf *leaves, uint32_t intervals,
                    struct interval_value *const *values, const uint32_t *counts)
{
    struct error error;
    run_builder_init(b);
    run_builder_function(b, "serve", true);
    leaf_times_build(b, leaves, 1, intervals);
    for (uint32_t i = 0; i < intervals; i++) {
        b->run.intervals[i].values = values[i];
        b->run.intervals[i].value_count = counts[i];
    }
    if (!variance_analyze(result, &b->run, &b->table, &error)) {
        printf("%s\n", error.message);
        failures++;
    }
}

static void done(struct run_builder *b, struct variance_result *result)
{
    variance_result_release(result);
    run_builder_release(b);
}

/*   L       10  14  16  20     mean 15, Var 13
 *   rows     0   0   2   2     Var 1, Cov(rows, L) = 3: 9/13, 3 ns for one more
 *   bytes    .   2   .   2     Var 1, Cov = 2: 4/13; one interval says 1 twice
 *   noise    1  -1  -1   1     Cov = 0
 *   always   5   5   5   5     does not vary
 * L = 10 + 3 rows + 2 bytes: together they explain all. */
static void several(void)
{
    static const struct leaf leaves[] = {{"serve", {10, 14, 16, 20}}};
    struct interval_value first[] = {{"rows", 0}, {"noise", 1}, {"always", 5}};
    struct interval_value second[] = {{"bytes", 1}, {"noise", -1}, {"bytes", 1}, {"always", 5}};
    struct interval_value third[] = {{"noise", -1}, {"rows", 2}, {"always", 5}};
    struct interval_value fourth[] = {{"rows", 2}, {"bytes", 2}, {"noise", 1}, {"always", 5}};
    struct run_builder b;
    struct variance_result result;
    analyze(&b, &result, leaves, 4, (struct interval_value *[]){first, second, third, fourth},
            (uint32_t[]){3, 4, 3, 4});
    const struct interval_summary *s = &result.tree.intervals;
    const struct interval_value_summary *values = s->work.values;
    expect_number("values", s->work.value_count, 4);
    static const char *const names[] = {"rows", "bytes", "always", "noise"};
    static const double explained[] = {9.0 / 13, 4.0 / 13, 0, 0}, slopes[] = {3, 2, 0, 0};
    static const unsigned counts[] = {3, 2, 4, 4};
    for (uint32_t i = 0; i < 4; i++) {
        expect_text("name", values[i].name, names[i]);
        expect_number(names[i], values[i].explained, explained[i]);
        expect_number("slope", values[i].slope_ns, slopes[i]);
        expect_number("count", (double)values[i].count, counts[i]);
    }
    expect_number("mean", values[1].mean, 1);
    expect_number("product", (double)values[1].latency, 2 * 14 + 2 * 20);
    expect_number("together", s->work.values_explained, 1);
    expect_number("the interval holds it",
                  values[0].ci95[0] <= 9.0 / 13 && 9.0 / 13 <= values[0].ci95[1], 1);
    done(&b, &result);
}

/* Twice the same value under two names explains no more than once. What is beyond 2^47 counts as
 * 2^47, so that no sum runs over: of the first two intervals 2^47, of the others its negative. */
static void extremes(void)
{
    static const struct leaf leaves[] = {{"serve", {10, 10, 30, 30}}};
    struct interval_value high[] = {{"x", INT64_MAX}, {"x", INT64_MAX}, {"y", INT64_MAX}};
    struct interval_value low[] = {{"x", INT64_MIN}, {"y", INT64_MIN}};
    struct run_builder b;
    struct variance_result result;
    analyze(&b, &result, leaves, 4, (struct interval_value *[]){high, high, low, low},
            (uint32_t[]){3, 3, 2, 2});
    const struct interval_summary *s = &result.tree.intervals;
    expect_number("explained", s->work.values[0].explained, 1);
    expect_number("slope", s->work.values[0].slope_ns, -10 / 140737488355328.0);
    expect_number("together", s->work.values_explained, 1);
    done(&b, &result);
}

static void none(void)
{
    static const struct leaf leaves[] = {{"serve", {10, 12}}};
    struct run_builder b;
    struct variance_result result;
    analyze(&b, &result, leaves, 2, (struct interval_value *[]){NULL, NULL}, (uint32_t[]){0, 0});
    expect_number("no values", result.tree.intervals.work.value_count, 0);
    expect_number("nothing explained", result.tree.intervals.work.values_explained, 0);
    done(&b, &result);
}

int main(void)
{
    several();
    extremes();
    none();
    printf("%d failed\n", failures);
    return failures != 0;
}
