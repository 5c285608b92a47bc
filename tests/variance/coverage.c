/* How often the 95 % intervals hold the truth.
 *
 *     variance_coverage 1000 [seed]      sets of data; 92 to 98 % of the intervals must hold it
 *
 * Each set is a run of 200 to 2,000 intervals, in which serve calls a and b, and b calls c:
 *
 *     own time of serve = e0    a = e1 + mix * e2    own time of b = e2    c = e3
 *
 * The e are independent of each other, drawn from one distribution (tests/variance/drawn.h) with
 * scales of their own, in some sets like what was before. With v for the variances of the e:
 *
 *     Var(a) = v1 + mix^2 v2      Var(b) = v2 + v3      Cov(a, b) = mix v2      Var(c) = v3
 *     Var(L) = v0 + v1 + (1 + mix)^2 v2 + v3
 *     Cov(a, L) = v1 + mix (1 + mix) v2    Cov(b, L) = (1 + mix) v2 + v3    Cov(c, L) = v3
 *
 * e2 is also given to each interval as a value (SI_VALUE): it explains (1 + mix)^2 v2 / Var(L).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "leaf_times.h"
#include "variance/variance.h"

enum { SHAPES = 5, KINDS = 4 * SHAPES, ASKED = 6, LEAVES = 4 };

static const char *const shape_names[SHAPES] = {"normal", "exponential", "lognormal 0.5",
                                                "lognormal 1", "rare"};
static struct leaf leaves[LEAVES];

struct tally {
    unsigned asked, held;
};

static struct tally of_kind[KINDS], of_contribution, of_covariance, of_share, of_value;

/* A truth, and the factor whose interval must hold it. */
struct truth {
    const char *names[2];
    double contribution, share;
};

static struct interval_value values[LEAF_INTERVALS];

static void draw(struct drawn *e, double mix, uint32_t intervals)
{
    static const char *const paths[LEAVES] = {"serve", "serve/a", "serve/b", "serve/b/c"};
    for (int l = 0; l < LEAVES; l++)
        leaves[l].path = paths[l];
    for (uint32_t i = 0; i < intervals; i++) {
        double x[LEAVES];
        for (int l = 0; l < LEAVES; l++)
            x[l] = drawn_next(&e[l]);
        leaves[0].ns[i] = llround(x[0]);
        leaves[1].ns[i] = llround(x[1] + mix * x[2]);
        leaves[2].ns[i] = llround(x[2]);
        leaves[3].ns[i] = llround(x[3]);
        values[i] = (struct interval_value){"size", leaves[2].ns[i]};
    }
}

/* Returns the part that the value explains. */
static double know(const struct drawn *e, double mix, struct truth truths[ASKED])
{
    double v[LEAVES], both = 1 + mix;
    for (int l = 0; l < LEAVES; l++)
        v[l] = drawn_variance(&e[l]);
    double all = v[0] + v[1] + both * both * v[2] + v[3];
    double body = v[0], a = v[1] + mix * both * v[2], b = both * v[2] + v[3];
    const struct truth made[ASKED] = {
        {{"serve [body]", NULL}, v[0] / all, body / all},
        {{"a", NULL}, (v[1] + mix * mix * v[2]) / all, a / all},
        {{"b", NULL}, (v[2] + v[3]) / all, b / all},
        {{"c", NULL}, v[3] / all, v[3] / all},
        {{"a", "b"}, 2 * mix * v[2] / all, (a + b) / all},
        {{"b [body]", "c"}, 0, b / all},
    };
    memcpy(truths, made, sizeof made);
    return both * both * v[2] / all;
}

/* What varied in no interval is no factor: it is said to be 0, and surely so. */
static const struct factor *find(const struct factor_list *list, const struct truth *truth)
{
    static const struct factor none;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct factor *f = &list->factors[i];
        const char *second = f->names[1] ? f->names[1] : "";
        if (!strcmp(f->names[0], truth->names[0]) &&
            !strcmp(second, truth->names[1] ? truth->names[1] : ""))
            return f;
    }
    return &none;
}

static void note(struct tally *tally, struct tally *kind, double value, const double ci95[2])
{
    bool held = ci95[0] <= value && value <= ci95[1];
    tally->asked++;
    tally->held += held;
    kind->asked++;
    kind->held += held;
}

static void one_set(unsigned number, uint64_t seed)
{
    static const double scales_ns[LEAVES] = {3e5, 8e5, 5e5, 2e5};
    unsigned kind = number % KINDS;
    double mix = kind / SHAPES % 2 ? 0.5 : 0;
    uint64_t state = seed + number;
    uint32_t intervals = 200 + drawn_below(&state, 1801);
    struct drawn e[LEAVES];
    struct truth truths[ASKED];
    struct run_builder b;
    struct variance_result result;
    struct error error;
    for (int l = 0; l < LEAVES; l++) {
        e[l] = (struct drawn){.shape = kind % SHAPES, .scale_ns = scales_ns[l]};
        e[l].persistence = kind / SHAPES >= 2 ? 0.6 : 0;
        drawn_start(&e[l], seed * 1000003 + number * 10ull + (unsigned)l);
    }
    draw(e, mix, intervals);
    double explained = know(e, mix, truths);
    run_builder_init(&b);
    static const char *const names[] = {"serve", "a", "b", "c"};
    for (int f = 0; f < 4; f++)
        run_builder_function(&b, names[f], true);
    leaf_times_build(&b, leaves, LEAVES, intervals);
    for (uint32_t i = 0; i < intervals; i++) {
        b.run.intervals[i].values = &values[i];
        b.run.intervals[i].value_count = 1;
    }
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        exit(1);
    note(&of_value, &of_kind[kind], explained, result.tree.intervals.work.values[0].ci95);
    for (int t = 0; t < ASKED; t++) {
        const struct factor *f = find(&result.factors, &truths[t]);
        note(truths[t].names[1] ? &of_covariance : &of_contribution, &of_kind[kind],
             truths[t].contribution, f->ci95);
        note(&of_share, &of_kind[kind], truths[t].share, f->share_ci95);
    }
    variance_result_release(&result);
    run_builder_release(&b);
}

static double percent(const struct tally *tally)
{
    return tally->asked ? 100.0 * tally->held / tally->asked : 0;
}

static int judge(const char *name, const struct tally *tally, double least, double most)
{
    double held = percent(tally);
    printf("%-40s %6.2f %% of %u\n", name, held, tally->asked);
    if (held >= least && held <= most)
        return 0;
    printf("  which is not within %.0f to %.0f %%\n", least, most);
    return 1;
}

int main(int argc, char **argv)
{
    unsigned sets = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int failures = 0;
    for (unsigned i = 0; i < sets; i++)
        one_set(i, seed);
    for (unsigned k = 0; k < KINDS; k++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s%s", shape_names[k % SHAPES],
                 k / SHAPES % 2 ? ", with a covariance" : "",
                 k / SHAPES >= 2 ? ", like before" : "");
        judge(name, &of_kind[k], 0, 100);
    }
    failures += judge("contributions of functions", &of_contribution, 92, 98);
    failures += judge("contributions of pairs", &of_covariance, 92, 98);
    failures += judge("shares", &of_share, 92, 98);
    failures += judge("parts that a value explains", &of_value, 92, 98);
    return failures != 0;
}
