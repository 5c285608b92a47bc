/* same.c - c13: is what is never delayed told from itself as seldom as the intervals say? Of recorded results.
 *
 *     same MS TRACE ...            folders of .vtr files of `vprofiler causal`
 *
 * The windows without a delay are cut into pieces of MS milliseconds; each group of GROUP pieces that follow each other is made a
 * run of ten blocks, of which one piece of each pair is drawn to be "50 % faster": nothing is, and each effect that is told
 * is told by chance. DRAWS draws are made of each group.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "causal/causal.h"
#include "trace/experiment.h"
#include "trace/timeline_load.h"

enum { GROUP = 20, DRAWS = 5 };

struct pieces {
    struct experiment *items;
    size_t count, capacity;
};

struct told {
    unsigned pairs[CAUSAL_METRICS], told[CAUSAL_METRICS];
};

static struct experiment_sums at(const struct experiment_sums *sums, time_ns time)
{
    struct experiment_sums moved = *sums;
    moved.time = time;
    return moved;
}

/* A piece's intervals end within what is left of the experiment. */
static void cut(const struct experiment *one, time_ns length, struct pieces *pieces)
{
    const struct experiment_sums *from = &one->stages[TRACE_EXPERIMENT_COUNTS];
    time_ns until = one->stages[TRACE_EXPERIMENT_DRAINS].time;
    for (time_ns time = from->time; time + length <= until; time += length) {
        struct experiment piece = *one;
        piece.stages[0] = piece.stages[1] = at(from, time);
        piece.stages[2] = at(from, time + length);
        piece.stages[3] = at(from, one->stages[TRACE_EXPERIMENT_ENDS].time);
        VEC_PUSH(pieces->items, pieces->count, pieces->capacity) = piece;
    }
}

static void look_at(struct timelines *run, struct told *told)
{
    struct error error;
    struct causal *causal = causal_find(run, &error);
    for (int m = 0; m < CAUSAL_METRICS; m++) {
        const struct causal_effect *effect = &causal->targets[0].parts[0].effects[1][m];
        told->pairs[m] += effect->known;
        told->told[m] += causal_effect_differs(effect);
    }
    causal_release(causal);
}

static void draw(struct timelines *run, const struct experiment *pieces, unsigned *state,
                 struct told *told)
{
    struct experiments made = *run->experiments, *real = run->experiments;
    struct experiment items[GROUP];
    made.items = items;
    made.count = GROUP;
    made.target_count = 1;
    for (uint32_t i = 0; i < GROUP; i += 2) {
        uint32_t faster = rand_r(state) >> 8 & 1;
        for (uint32_t k = 0; k < 2; k++) {
            items[i + k] = pieces[i + k];
            items[i + k].target = 0;
            items[i + k].epoch = i + k + 1;
            items[i + k].block = i / 2 + 1;
            items[i + k].round = 0;
            items[i + k].share = k == faster ? 0.5 : 0;
        }
    }
    run->experiments = &made;
    look_at(run, told);
    run->experiments = real;
}

static void look_at_run(const char *folder, time_ns length, unsigned *state, struct told *told)
{
    struct timelines run;
    struct error error;
    struct pieces pieces = {0};
    if (!timelines_open(&run, folder, &error)) {
        printf("%s: %s\n", folder, error.message);
        exit(1);
    }
    for (uint32_t i = 0; run.experiments && i < run.experiments->count; i++)
        if (run.experiments->items[i].whole && run.experiments->items[i].share == 0)
            cut(&run.experiments->items[i], length, &pieces);
    for (size_t i = 0; i + GROUP <= pieces.count; i += GROUP)
        for (int d = 0; d < DRAWS; d++)
            draw(&run, pieces.items + i, state, told);
    memory_free(pieces.items);
    timelines_release(&run);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"throughput", "mean", "sd", "p50", "p99"};
    struct told told = {{0}, {0}};
    unsigned state = 1, pairs = 0, wrong = 0;
    for (int i = 2; i < argc; i++)
        look_at_run(argv[i], (time_ns)(atof(argv[1]) * 1e6), &state, &told);
    for (int m = 0; m < CAUSAL_METRICS; m++) {
        printf("%-10s %4u pairs, told %.1f %%\n", names[m], told.pairs[m],
               told.pairs[m] ? 100.0 * told.told[m] / told.pairs[m] : 0);
        pairs += told.pairs[m];
        wrong += told.told[m];
    }
    printf("all        %4u pairs, told %.1f %%\n", pairs, pairs ? 100.0 * wrong / pairs : 0);
    return 0;
}
