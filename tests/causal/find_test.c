/* Runs with planted truth: threads that were delayed, intervals of known virtual latency. What is told of them must be that,
 * its intervals hold it as often as they say, and null data name nothing. */
#include "causal/causal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "causal/plan.h"
#include "stats/student.h"
#include "tests/causal/expect.h"

enum { BLOCKS = 12, OF_WINDOW = 60, MOST = BLOCKS * 6 * OF_WINDOW };
static const double levels[] = {0.25, 0.5, 0.75, 1};

/* The virtual latency of a request in ns, by the level; a request's period is `period` by the same. */
struct truth {
    double mean_ns, period_ns, gain; /* both fall by this much of the level */
    double spread;                   /* 0: all are alike; 1: exponential */
    double drift;                    /* of a block, at random: all of its experiments alike */
};

struct made {
    struct timelines run;
    struct experiments experiments;
    struct experiment_target target;
    struct timeline_thread thread;
    struct thread_delay *delays;
    struct interval *intervals;
    struct experiment *items;
};

static void add_request(struct made *made, time_ns *now, int64_t *delay, double latency,
                        double granted)
{
    struct interval *one = &made->intervals[made->run.interval_count++];
    *one = (struct interval){.complete = true, .begin = *now, .type = ""};
    made->delays[made->thread.delay_count++] = (struct thread_delay){*now, *delay};
    *now += (time_ns)(latency + granted);
    *delay += (int64_t)granted;
    one->end = *now;
    made->delays[made->thread.delay_count++] = (struct thread_delay){*now, *delay};
}

static struct experiment_sums sums(time_ns now, int64_t delay, double target)
{
    return (struct experiment_sums){
        .time = now, .granted_ns = (uint64_t)delay, .target_ns = (uint64_t)target};
}

/* One thread works off one request after the other: the next one begins a pause later. */
static void make(struct made *made, const struct truth *truth, unsigned *state)
{
    struct causal_plan plan;
    causal_plan_make(&plan, (struct causal_design){1, BLOCKS, levels, 4, (uint64_t)*state, 0});
    *made = (struct made){.target = {"function", "f"}};
    made->intervals = memory_zeroed(sizeof *made->intervals * MOST);
    made->delays = memory_zeroed(sizeof *made->delays * MOST * 2);
    made->items = memory_zeroed(sizeof *made->items * plan.count);
    made->thread.delays = made->delays;
    made->run.threads = &made->thread;
    made->run.thread_count = 1;
    made->run.intervals = made->intervals;
    made->run.experiments = &made->experiments;
    made->experiments = (struct experiments){
        .targets = &made->target, .target_count = 1, .items = made->items, .count = plan.count};
    time_ns now = 1000;
    int64_t delay = 0;
    double target = 0, block_factor = 1;
    for (uint32_t i = 0; i < plan.count; i++) {
        const struct causal_step *step = &plan.steps[i];
        struct experiment *item = &made->items[i];
        double left = 1 - truth->gain * step->level;
        if (i % 6 == 0)
            block_factor = 1 + truth->drift * (uniform(state) - 0.5);
        *item = (struct experiment){
            .epoch = i + 1, .block = step->block, .share = step->level, .whole = true};
        item->stages[0] = item->stages[1] = sums(now, delay, target);
        for (int k = 0; k < OF_WINDOW; k++) {
            double random = truth->spread ? -log(uniform(state)) : 1;
            double full = truth->mean_ns * block_factor * random;
            add_request(made, &now, &delay, full * left, full * (1 - left));
            now += (time_ns)((truth->period_ns - truth->mean_ns) * left * block_factor);
            target += full;
        }
        item->stages[2] = sums(now, delay, target);
        now += 10;
        item->stages[3] = sums(now, delay, target);
        now += 10;
    }
    causal_plan_release(&plan);
}

static void release(struct made *made)
{
    memory_free(made->intervals);
    memory_free(made->delays);
    memory_free(made->items);
}

static int holds(const struct causal_effect *effect, double truth)
{
    return effect->ci95[0] <= truth && truth <= effect->ci95[1];
}

/* A window in which nothing was completed has no rate, and is counted. */
static void look_at_idle(void)
{
    struct made made;
    unsigned state = 1;
    struct causal_samples samples;
    make(&made, &(struct truth){.mean_ns = 1e6, .period_ns = 3e6}, &state);
    causal_samples_gather(&samples, &made.run, 0, NULL);
    expect(samples.idle == 0, "all windows have requests");
    causal_samples_release(&samples);
    made.items[3].stages[1] = made.items[3].stages[2];
    made.items[40].stages[1] = made.items[40].stages[2];
    causal_samples_gather(&samples, &made.run, 0, NULL);
    expect(samples.idle == 2, "two have none");
    causal_samples_release(&samples);
    release(&made);
}

/* A thread goes back 0.3 ms: too much, but not where samples tell of the target's time a millisecond later. */
static void look_at_laws(void)
{
    struct thread_delay delays[] = {{100000000, 0}, {100200000, 500000}};
    struct timeline_thread thread = {.delays = delays, .delay_count = 2};
    struct experiment one = {.stages = {[TRACE_EXPERIMENT_COUNTS] = {.time = 50000000, .calls = 7},
                                        [TRACE_EXPERIMENT_ENDS] = {
                                            .time = 200000000, .target_ns = 1000000, .calls = 7}}};
    struct experiments all = {.items = &one, .count = 1};
    struct timelines run = {.threads = &thread, .thread_count = 1, .experiments = &all};
    struct causal_laws laws = causal_laws_of(&run);
    expect(laws.marks == 1 && laws.backwards == 1 && laws.worst_ns == 300000, "a breach");
    one.stages[TRACE_EXPERIMENT_BEGINS].calls = 7;
    laws = causal_laws_of(&run);
    expect(laws.marks == 1 && laws.backwards == 0, "none of samples");
    delays[1].delay_ns += CAUSAL_LET_PASS_SAMPLED_NS;
    laws = causal_laws_of(&run);
    expect(laws.backwards == 1, "but of more than one");
}

/* All are alike: the numbers are exact. */
static void look_at_exact(void)
{
    struct made made;
    struct error error;
    unsigned state = 1;
    make(&made, &(struct truth){.mean_ns = 1e6, .period_ns = 3e6, .gain = 0.4}, &state);
    struct causal *causal = causal_find(&made.run, &error);
    const struct causal_part *part = &causal->targets[0].parts[0];
    expect(causal_check(causal) == NULL, "the laws hold");
    expect(part->samples.level_count == 5 && part->samples.blocks == BLOCKS, "five levels");
    expect(part->samples.levels[0].first[BLOCKS] == 2 * BLOCKS * OF_WINDOW, "none has two windows");
    for (uint32_t l = 1; l < 5; l++) {
        double left = 1 - 0.4 * levels[l - 1];
        expect(fabs(part->effects[l][CAUSAL_MEAN].ratio - left) < 1e-5, "the mean is exact");
        expect(fabs(part->effects[l][CAUSAL_PERIOD].ratio - left) < 1e-5, "and the period");
        expect(fabs(part->effects[l][CAUSAL_P50].ratio - left) < 1e-5, "and the median");
        expect(causal_effect_differs(&part->effects[l][CAUSAL_MEAN]), "and told");
    }
    expect(fabs(part->curves[CAUSAL_MEAN].slopes[0] + 0.4 * 0.4 / 0.4) < 0.01 ||
               part->curves[CAUSAL_MEAN].pieces == 1,
           "a straight line");
    expect(!part->hurts[CAUSAL_MEAN], "which hurts nobody");
    expect(causal->laws.backwards == 0, "virtual time runs forward");
    causal_release(causal);
    release(&made);
}

/* A whole block must be there. */
static void look_at_broken(void)
{
    struct made made;
    struct error error;
    unsigned state = 2;
    make(&made, &(struct truth){.mean_ns = 1e6, .period_ns = 3e6}, &state);
    for (uint32_t i = 0; i < 3 * 6; i++)
        made.items[i].whole = made.items[i].share == 0;
    struct causal *causal = causal_find(&made.run, &error);
    const struct causal_part *part = &causal->targets[0].parts[0];
    expect(part->samples.blocks == BLOCKS - 3, "blocks that are not whole are left out");
    expect(!part->effects[1][CAUSAL_MEAN].known, "and too few say nothing");
    causal_release(causal);
    release(&made);
}

/* Where the program ended in the middle, an experiment was made again: the block is whole. */
static void look_at_again(void)
{
    struct made made;
    struct error error;
    unsigned state = 4;
    make(&made, &(struct truth){.mean_ns = 1e6, .period_ns = 3e6, .gain = 0.4}, &state);
    struct experiment *items = memory_zeroed(sizeof *items * (made.experiments.count + 1));
    items[0] = made.items[0];
    items[0].whole = false;
    memcpy(items + 1, made.items, sizeof *items * made.experiments.count++);
    made.experiments.items = items;
    struct causal *causal = causal_find(&made.run, &error);
    const struct causal_part *part = &causal->targets[0].parts[0];
    expect(part->samples.blocks == BLOCKS, "what was made again makes its block whole");
    expect(part->samples.broken == 1, "and the one before is left out");
    expect(fabs(part->effects[2][CAUSAL_MEAN].ratio - 0.8) < 1e-5, "of which nothing counts");
    causal_release(causal);
    memory_free(items);
    release(&made);
}

/* How often the intervals hold the truth, with drift from block to block; and how often null data are told. */
static void look_at_coverage(void)
{
    enum { RUNS = 300 };
    struct error error;
    int held[CAUSAL_METRICS] = {0}, known[CAUSAL_METRICS] = {0}, told[CAUSAL_METRICS] = {0},
        all = 0;
    unsigned state = 11;
    for (int r = 0; r < RUNS; r++)
        for (int null = 0; null < 2; null++) {
            struct made made;
            double gain = null ? 0 : 0.5;
            make(&made,
                 &(struct truth){
                     .mean_ns = 1e6, .period_ns = 2e6, .gain = gain, .spread = 1, .drift = 0.3},
                 &state);
            struct causal *causal = causal_find(&made.run, &error);
            const struct causal_part *part = &causal->targets[0].parts[0];
            double left = 1 - gain * 0.5;
            for (int m = 0; m < CAUSAL_METRICS; m++) {
                const struct causal_effect *effect = &part->effects[2][m];
                known[m] += !null && effect->known;
                held[m] += !null && effect->known &&
                           holds(effect, m == CAUSAL_VARIANCE ? left * left : left);
                told[m] += null && causal_effect_differs(effect);
            }
            all += null;
            causal_release(causal);
            release(&made);
        }
    for (int m = 0; m < CAUSAL_METRICS; m++) {
        printf("metric %d: held %.3f, null data told %.3f\n", m, (double)held[m] / known[m],
               (double)told[m] / all);
        expect(held[m] > known[m] * 0.90 && known[m] > all * 0.8, "intervals hold the truth");
        expect(told[m] < all * 0.09, "null data name nothing");
    }
}

int main(void)
{
    look_at_idle();
    look_at_laws();
    look_at_exact();
    look_at_broken();
    look_at_again();
    look_at_coverage();
    return failures != 0;
}
