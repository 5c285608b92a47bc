#include <math.h>

#include "base/number.h"
#include "report/causal/causal_report.h"

/* Chosen: wider, and the curve is not worth its drawing. */
#define TOO_WIDE 0.25
#define BREACHES_PART 0.001

static void judge_blocks(const struct causal_target *target, struct doubts *doubts)
{
    const struct causal_samples *samples = &target->parts[0].samples;
    if (samples->blocks < CAUSAL_LEAST_BLOCKS)
        doubts_add(doubts, DOUBT_OF_RANKING, "few-blocks",
                   "Of %s only %u blocks of experiments came to their end, and %d are needed to "
                   "tell how sure a number is: a longer --budget makes more.",
                   target->name, samples->blocks, CAUSAL_LEAST_BLOCKS);
}

static double widest(const struct causal_part *part, enum causal_metric metric)
{
    double most = 0;
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        if (part->effects[l][metric].known)
            most = fmax(most,
                        (part->effects[l][metric].ci95[1] - part->effects[l][metric].ci95[0]) / 2);
    return most;
}

static void judge_noise(const struct causal *causal, const struct causal_target *target,
                        struct doubts *doubts)
{
    enum causal_metric metric = causal->intervals ? CAUSAL_MEAN : CAUSAL_PERIOD;
    double wide = widest(&target->parts[0], metric);
    if (wide > TOO_WIDE)
        doubts_add(doubts, DOUBT_OF_RANKING, "too-noisy",
                   "The program is too noisy for %s: %s differs by +-%s from experiment to "
                   "experiment where nothing is changed. A longer --budget, fewer processes beside "
                   "it, or --pin may help.",
                   target->name, metric == CAUSAL_MEAN ? "the mean" : "the rate",
                   number_percent_short(wide).text);
}

static void judge_laws(const struct causal_laws *laws, struct doubts *doubts)
{
    uint64_t breaches = laws->backwards + laws->early, all = laws->marks + laws->handed;
    if ((double)breaches > BREACHES_PART * (double)all)
        doubts_add(doubts, DOUBT_OF_TRACE, "virtual-time",
                   "Virtual time went back %s times of %s, by %s at the most: some hand-over "
                   "between threads is not seen.",
                   number_count(breaches).text, number_count(all).text,
                   number_ns(laws->worst_ns, false).text);
}

void causal_judge(const struct causal *causal, struct doubts *doubts)
{
    if (causal->outside)
        doubts_add(doubts, DOUBT_OF_WAITS, "outside",
                   "%s is connected with the program and was not delayed: it gains from each "
                   "delay, so no throughput is told, and latencies may be too low. Run the load "
                   "generator within COMMAND.",
                   causal->outside);
    for (uint32_t t = 0; t < causal->target_count; t++) {
        judge_blocks(&causal->targets[t], doubts);
        judge_noise(causal, &causal->targets[t], doubts);
    }
    judge_laws(&causal->laws, doubts);
}
