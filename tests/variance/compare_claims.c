/* What a whole comparison says of two runs of which the truth is known: latency, factors and tree.
 *
 *     variance_compare_claims 400 [seed]      comparisons of each kind
 *
 * Each side is a run of 1,000 to 2,000 intervals: two to eight functions below `serve`, some of
 * them below another one, with times of one of five distributions (tests/variance/drawn.h), half of
 * the runs such that what follows is like what was. Three kinds of B:
 *
 *     same      drawn anew: whatever is called better or worse, or coloured in the tree, is wrong
 *     halved    all times are half as long: better, and nothing of it worse
 *     doubled   all times are twice as long: worse, and nothing of it better
 *
 * Of the first at most 5 % may name anything, also where latencies come in heaps (the rare events);
 * nor may, in more than 5 %, one of the intervals that hold together not hold 0. Of the others all
 * must be found, and none called the contrary.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "leaf_times.h"
#include "variance/comparison.h"
#include "variance/variance.h"

enum { SHAPES = 5, MOST = 8 };
enum kind { SAME, HALVED, DOUBLED, KINDS };

static const double times[KINDS] = {1, 0.5, 2};
static struct leaf leaves[MOST + 1];

struct side {
    struct run_builder builder;
    struct variance_result result;
    struct sample_side sample;
};

static void draw(uint32_t functions, uint32_t intervals, unsigned number, double by, uint64_t seed)
{
    static const char *const paths[MOST + 1] = {"serve",       "serve/f0",    "serve/f1",
                                                "serve/f1/f2", "serve/f1/f3", "serve/f4",
                                                "serve/f4/f5", "serve/f4/f6", "serve/f7"};
    for (uint32_t f = 0; f <= functions; f++) {
        struct drawn source = {.shape = number % SHAPES, .scale_ns = f % 3 ? 5e5 : 1e6};
        source.persistence = number / SHAPES % 2 ? 0.6 : 0;
        drawn_start(&source, seed * 16 + f);
        leaves[f].path = paths[f];
        for (uint32_t i = 0; i < intervals; i++)
            leaves[f].ns[i] = llround(fabs(drawn_next(&source)) * by);
    }
}

static void side_make(struct side *side, uint32_t functions, uint32_t intervals)
{
    static const char *const names[] = {"serve", "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    struct error error;
    run_builder_init(&side->builder);
    for (uint32_t f = 0; f <= functions; f++)
        run_builder_function(&side->builder, names[f], true);
    leaf_times_build(&side->builder, leaves, functions + 1, intervals);
    if (!variance_analyze(&side->result, &side->builder.run, &side->builder.table, &error))
        exit(1);
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

/* ---- what is said ---- */

struct said {
    bool better, worse, coloured, apart;
};

static void note(struct said *said, const struct change *change)
{
    if (!change->applies || !change->verdict)
        return;
    said->better |= change->verdict == VERDICT_BETTER;
    said->worse |= change->verdict == VERDICT_WORSE;
    said->apart |= change_is_told(change);
}

static struct said read_rows(const struct comparison *c, uint32_t first, uint32_t end)
{
    struct said said = {0};
    for (uint32_t r = first; r < end; r++)
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            note(&said, &c->rows[r].changes[m]);
    return said;
}

/* Of the tree and of who does it. */
static struct said read_tree(const struct comparison *c)
{
    struct said said = {0};
    for (uint32_t i = 0; i < c->roots.count; i++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
            note(&said, &c->roots.lines[i].changes[way]);
    for (uint32_t n = 1; n < c->difference.node_count; n++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
            note(&said, &c->difference.nodes[n].changes[way]);
    return said;
}

/* The parts of the root add up to it, in both ways; the drawn leaves are all there. */
static bool adds_up(const struct comparison *c)
{
    const struct difference_node *nodes = c->difference.nodes;
    for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
        for (int s = 0; s < 2; s++) {
            double sum = 0, most = 0;
            for (uint32_t n = 1; n < c->difference.node_count; n++) {
                const struct change *change = &nodes[n].changes[way];
                sum += nodes[n].parent == 0 ? (s ? change->b : change->a) : 0;
            }
            most = s ? nodes[0].changes[way].b : nodes[0].changes[way].a;
            if (fabs(sum - most) > 0.002 * fabs(most))
                return false;
        }
    return true;
}

struct tally {
    unsigned latency, factors, tree, any, heaps, apart, wrong, found, open_sums;
};

static void compare_one(unsigned number, enum kind kind, uint64_t seed, struct tally *tally)
{
    uint64_t state = seed * 7919 + number;
    uint32_t intervals = 1000 + drawn_below(&state, 1001), functions = 2 + drawn_below(&state, 7);
    struct side sides[2];
    struct comparison c;
    struct comparison_options options = {.margin = 0.05, .factors = 3};
    struct error error;
    for (int s = 0; s < 2; s++) {
        draw(functions, intervals, number, s ? times[kind] : 1,
             (seed * 100003 + number) * KINDS * 2 + kind * 2 + (unsigned)s);
        side_make(&sides[s], functions, intervals);
    }
    struct sample_side samples[2] = {sides[0].sample, sides[1].sample};
    if (!comparison_make(&c, samples, &options, &error))
        exit(1);
    struct said latency = read_rows(&c, 0, 1), factors = read_rows(&c, 1, c.row_count);
    struct said tree = read_tree(&c);
    tally->latency += latency.better || latency.worse;
    tally->factors += factors.better || factors.worse;
    tally->tree += tree.apart;
    bool any = latency.better || latency.worse || factors.better || factors.worse || tree.apart;
    tally->any += any;
    tally->heaps += any && number % SHAPES == DRAWN_RARE;
    tally->apart += latency.apart || factors.apart || tree.apart;
    tally->found += c.verdict == (kind == HALVED ? VERDICT_BETTER : VERDICT_WORSE);
    tally->wrong +=
        kind == HALVED ? latency.worse || factors.worse : latency.better || factors.better;
    tally->open_sums += !adds_up(&c);
    comparison_release(&c);
    side_release(&sides[0]);
    side_release(&sides[1]);
}

static int judge(const char *name, unsigned found, unsigned count, double least, double most)
{
    double part = 100.0 * found / count;
    printf("%-60s %6.2f %% of %u\n", name, part, count);
    if (part >= least && part <= most)
        return 0;
    printf("  which is not within %.1f to %.1f %%\n", least, most);
    return 1;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct tally tally[KINDS] = {{0}};
    for (unsigned i = 0; i < count; i++)
        for (enum kind kind = 0; kind < KINDS; kind++)
            compare_one(i, kind, seed, &tally[kind]);
    double chance = 100 * 2.6 * sqrt(0.05 * 0.95 / count);
    const struct tally *same = &tally[SAME];
    int failures = judge("A again: the latency is better or worse", same->latency, count, 0, 5);
    failures += judge("A again: a factor is", same->factors, count, 0, 5);
    failures += judge("A again: a node has a colour", same->tree, count, 0, 5);
    failures += judge("A again: anything is named", same->any, count, 0, 5);
    failures +=
        judge("A again, latencies in heaps: anything is", same->heaps, count / SHAPES, 0, 5);
    failures +=
        judge("A again: one of all intervals does not hold 0", same->apart, count, 0, 5 + chance);
    failures += judge("halved: better", tally[HALVED].found, count, 100, 100);
    failures += judge("halved: something is worse", tally[HALVED].wrong, count, 0, 0);
    failures += judge("doubled: worse", tally[DOUBLED].found, count, 100, 100);
    failures += judge("doubled: something is better", tally[DOUBLED].wrong, count, 0, 0);
    for (enum kind kind = 0; kind < KINDS; kind++)
        failures += judge("the tree's parts do not add up", tally[kind].open_sums, count, 0, 0);
    return failures != 0;
}
