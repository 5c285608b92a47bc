/* What `compare` says of series of which the truth is known.
 *
 *     variance_compare_rates 200 [seed]         comparisons of each kind
 *
 * A and B are 20 rounds of 10,000 intervals. Each is like what was before (AR(1),
 * 0.6), and in every other comparison each round is slower or faster than the others by some 5 %, A
 * and B alike: what the machine did meanwhile. Three kinds of B:
 *
 *     same        nothing changed: any "worse" is wrong
 *     margin      all times are longer by 5 %, the margin: "worse" and "not worse" are both wrong
 *     slow tail   times above q90 are stretched away from it until p99 is 10 % longer
 *
 * Of the first two at most 5 % may be wrong, in any metric; in the third p99 must be found worse in
 * 90 %. An interval of a metric for itself must hold the truth in 92 to 98 %, also of 2,000
 * intervals that came one after the other in one run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawn.h"
#include "stats/series.h"

enum { ROUNDS = 20, MOST = 200000, ONE_RUN = 2000 };
enum kind { SAME, AT_MARGIN, SLOW_TAIL, KINDS };

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
        for (int s = 0; s < 2; s++)
            series_measure(&sides[s], m, &sums[s]);
        change_judge(&changes[m], m, sums, NULL, &rule);
    }
}

static int64_t *values[2];

static void make(struct change *changes, enum kind kind, size_t count, bool uneven, uint64_t seed)
{
    double round[ROUNDS];
    struct series sides[2];
    draw_rounds(round, uneven, seed * 3);
    for (int s = 0; s < 2; s++) {
        draw(values[s], count, s ? kind : SAME, round, seed * 3 + 1 + (unsigned)s);
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

static int rates(unsigned count, uint64_t seed)
{
    struct tally wrong[2] = {{0}, {0}}, apart = {0}, p99 = {0}, held[METRIC_JUDGED] = {{0}};
    struct change changes[METRIC_JUDGED];
    for (unsigned i = 0; i < count; i++) {
        bool any[2] = {false, false}, missed = false;
        for (enum kind kind = SAME; kind <= AT_MARGIN; kind++) {
            make(changes, kind, MOST, i % 2, seed + i * 4 + kind);
            for (enum metric m = 0; m < METRIC_JUDGED; m++) {
                double truth = kind == SAME ? 0 : metric_margin(m, MARGIN);
                const struct change *c = &changes[m];
                any[kind] |=
                    kind == SAME ? c->verdict == VERDICT_WORSE : c->verdict != VERDICT_INCONCLUSIVE;
                missed |= kind == SAME && (c->together[0] > 0 || c->together[1] < 0);
                note(&held[m], c->ci95[0] <= truth && truth <= c->ci95[1]);
            }
            note(&wrong[kind], any[kind]);
        }
        note(&apart, missed);
        make(changes, SLOW_TAIL, MOST, i % 2, seed + i * 4 + SLOW_TAIL);
        note(&p99, changes[METRIC_P99].verdict == VERDICT_WORSE);
    }
    double chance = 100 * 2.6 * sqrt(0.05 * 0.95 / count);
    int failures = judge("A again: something is worse", &wrong[SAME], 0, 5);
    failures += judge("at the margin: worse or not worse", &wrong[AT_MARGIN], 0, 5 + chance);
    failures += judge("A again: not all intervals together hold 0", &apart, 0, 5 + chance);
    failures += judge("p99 longer by 10 %: worse", &p99, 90, 100);
    failures += judge("intervals of the mean hold the truth", &held[METRIC_MEAN], 92 - chance, 100);
    failures += judge("of the variance", &held[METRIC_VARIANCE], 92 - chance, 100);
    return failures + judge("of p99", &held[METRIC_P99], 92 - chance, 100);
}

static int coverage_of_short_runs(unsigned count, uint64_t seed)
{
    struct tally held[METRIC_JUDGED] = {{0}};
    struct change changes[METRIC_JUDGED];
    int failures = 0;
    for (unsigned i = 0; i < 10 * count; i++) {
        make(changes, SAME, ONE_RUN, false, seed + 1000003 + i);
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
    int failures = rates(count, seed) + coverage_of_short_runs(count, seed);
    for (int s = 0; s < 2; s++)
        memory_free(values[s]);
    return failures != 0;
}
