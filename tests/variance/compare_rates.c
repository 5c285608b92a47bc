/* What `compare` says of series of which the truth is known.
 *
 *     variance_compare_rates 200 [seed]         comparisons of each kind
 *
 * A and B are 20 rounds of 10,000 intervals. Each is like what was before (AR(1),
 * 0.6), and in every other comparison each round is slower or faster than the others by some 5 %, A
 * and B alike: what the machine did meanwhile. Kinds of B:
 *
 *     same        nothing changed: "better" and "worse" are wrong
 *     margins     all times are 1.05 times as long, or A's are: every verdict but "inconclusive" is
 *                 wrong
 *     slow tail   times above q90 are stretched away from it until p99 is 10 % longer
 *     fast tail   the same is done to A
 *     half        all times are half as long
 *
 * Of the first three at most 5 % may be wrong, in any metric; of the tails p99 must be found worse,
 * and better, in 90 %; half must be better in all. An interval of a metric for itself must hold the
 * truth in 92 to 98 %, also of 2,000 intervals that came one after the other in one run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawn.h"
#include "stats/series.h"

enum { ROUNDS = 20, MOST = 200000, ONE_RUN = 2000 };
enum kind { SAME, AT_MARGIN, SLOW_TAIL, HALF, KINDS };

#define MARGIN 0.05
#define Q90_NS (1e6 * 2.302585093) /* of exponential times with a mean of 1 ms */
#define Q99_NS (2 * Q90_NS)

struct tally {
    unsigned asked, found;
};

static void note(struct tally *tally, bool found)
{
    tally->asked++;
    tally->found += found;
}

static double slower(enum kind kind, double ns)
{
    if (kind == AT_MARGIN)
        return ns * (1 + MARGIN);
    if (kind == HALF)
        return ns / 2;
    if (kind == SLOW_TAIL && ns > Q90_NS)
        return Q90_NS + (ns - Q90_NS) * (1 + 0.1 * Q99_NS / (Q99_NS - Q90_NS));
    return ns;
}

static void draw(int64_t *values, size_t count, enum kind kind, const double *round, uint64_t seed)
{
    struct drawn source = {.shape = DRAWN_EXPONENTIAL, .scale_ns = 1e6, .persistence = 0.6};
    drawn_start(&source, seed);
    for (size_t i = 0; i < count; i++) {
        double ns = slower(kind, drawn_next(&source));
        values[i] = llround(ns * round[i * ROUNDS / count]);
    }
}

static void draw_rounds(double *round, bool uneven, uint64_t seed)
{
    struct drawn source = {.shape = DRAWN_NORMAL, .scale_ns = 1};
    drawn_start(&source, seed);
    for (int r = 0; r < ROUNDS; r++) {
        double x = drawn_next(&source);
        round[r] = uneven ? exp(0.05 * fmod(x, 1)) : 1;
    }
}

static void compare(struct change *changes, const struct series sides[2], size_t count)
{
    struct change_rule rule = {.margin = MARGIN,
                               .outside = 0.05 / METRIC_JUDGED,
                               .count = (double)count,
                               .blocks = ROUNDS};
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        struct jackknife_sum sums[2];
        struct quantile_reach reach[2];
        for (int s = 0; s < 2; s++)
            series_measure(&sides[s], m, &sums[s], &reach[s]);
        rule.reach = reach;
        change_judge(&changes[m], m, sums, NULL, &rule);
    }
}

static int64_t *values[2];

/* With `swapped` it is A that is of that kind. */
static void make(struct change *changes, enum kind kind, bool swapped, size_t count, bool uneven,
                 uint64_t seed)
{
    double round[ROUNDS];
    struct series sides[2];
    draw_rounds(round, uneven, seed * 3);
    for (int s = 0; s < 2; s++) {
        draw(values[s], count, s == !swapped ? kind : SAME, round, seed * 3 + 1 + (unsigned)s);
        sides[s] = (struct series){values[s], blocks_even(count, ROUNDS)};
    }
    compare(changes, sides, count);
}

static int judge(const char *name, const struct tally *tally, double least, double most)
{
    double found = tally->asked ? 100.0 * tally->found / tally->asked : 0;
    printf("%-56s %6.2f %% of %u\n", name, found, tally->asked);
    if (found >= least && found <= most)
        return 0;
    printf("  which is not within %.1f to %.1f %%\n", least, most);
    return 1;
}

enum { AGAIN, UPPER, LOWER, NULLS };

struct rates {
    struct tally wrong[NULLS], apart, slow, fast, half, held[METRIC_JUDGED];
};

static bool is_claim(enum verdict verdict)
{
    return verdict == VERDICT_WORSE || verdict == VERDICT_BETTER;
}

/* Comparisons of which the truth is 0, or one of the margins. */
static void add_null(struct rates *rates, int null, bool uneven, uint64_t seed)
{
    struct change changes[METRIC_JUDGED];
    bool any = false, apart = false;
    make(changes, null == AGAIN ? SAME : AT_MARGIN, null == LOWER, MOST, uneven, seed);
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        double margin = metric_margin(m, MARGIN);
        double truth = null == AGAIN ? 0 : null == UPPER ? margin : 1 / (1 + margin) - 1;
        const struct change *c = &changes[m];
        any |= null == AGAIN ? is_claim(c->verdict) : c->verdict != VERDICT_INCONCLUSIVE;
        apart |= c->together[0] > 0 || c->together[1] < 0;
        note(&rates->held[m], c->ci95[0] <= truth && truth <= c->ci95[1]);
    }
    note(&rates->wrong[null], any);
    if (null == AGAIN)
        note(&rates->apart, apart);
}

static void add_others(struct rates *rates, bool uneven, uint64_t seed)
{
    struct change changes[METRIC_JUDGED];
    make(changes, SLOW_TAIL, false, MOST, uneven, seed);
    note(&rates->slow, changes[METRIC_P99].verdict == VERDICT_WORSE);
    make(changes, SLOW_TAIL, true, MOST, uneven, seed);
    note(&rates->fast, changes[METRIC_P99].verdict == VERDICT_BETTER);
    make(changes, HALF, false, MOST, uneven, seed);
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        note(&rates->half, changes[m].verdict == VERDICT_BETTER);
}

static int rates_of(unsigned count, uint64_t seed)
{
    struct rates rates = {0};
    for (unsigned i = 0; i < count; i++) {
        for (int null = 0; null < NULLS; null++)
            add_null(&rates, null, i % 2, seed + i * 4 + (unsigned)null);
        add_others(&rates, i % 2, seed + i * 4 + NULLS);
    }
    double chance = 100 * 2.6 * sqrt(0.05 * 0.95 / count);
    int failures = judge("A again: something is better or worse", &rates.wrong[AGAIN], 0, 5);
    failures += judge("at the upper margin: a verdict", &rates.wrong[UPPER], 0, 5 + chance);
    failures += judge("at the lower margin: a verdict", &rates.wrong[LOWER], 0, 5 + chance);
    failures += judge("A again: not all intervals together hold 0", &rates.apart, 0, 5 + chance);
    failures += judge("p99 longer by 10 %: worse", &rates.slow, 90, 100);
    failures += judge("p99 shorter by as much: better", &rates.fast, 90, 100);
    failures += judge("half as long: each metric is better", &rates.half, 100, 100);
    failures +=
        judge("intervals of the mean hold the truth", &rates.held[METRIC_MEAN], 92 - chance, 100);
    failures += judge("of the variance", &rates.held[METRIC_VARIANCE], 92 - chance, 100);
    return failures + judge("of p99", &rates.held[METRIC_P99], 92 - chance, 100);
}

static int coverage_of_short_runs(unsigned count, uint64_t seed)
{
    struct tally held[METRIC_JUDGED] = {{0}};
    struct change changes[METRIC_JUDGED];
    int failures = 0;
    for (unsigned i = 0; i < 10 * count; i++) {
        make(changes, SAME, false, ONE_RUN, false, seed + 1000003 + i);
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            note(&held[m], changes[m].ci95[0] <= 0 && changes[m].ci95[1] >= 0);
    }
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        char name[80];
        snprintf(name, sizeof name, "of 2,000 intervals in one run: %s", metric_name(m));
        failures += judge(name, &held[m], 92 - 820 / sqrt(10.0 * count) / 10, 100);
    }
    return failures;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int s = 0; s < 2; s++)
        values[s] = memory_alloc(sizeof *values[s] * MOST);
    int failures = rates_of(count, seed) + coverage_of_short_runs(count, seed);
    for (int s = 0; s < 2; s++)
        memory_free(values[s]);
    return failures != 0;
}
