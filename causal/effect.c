#include "causal/effect.h"

#include <math.h>
#include <string.h>

#include "causal/causal_metric.h"
#include "stats/student.h"

static struct blocks blocks_of(const struct causal_samples *samples,
                               const struct causal_level *level)
{
    struct blocks blocks = {.count = samples->blocks};
    memcpy(blocks.first, level->first, sizeof *level->first * (samples->blocks + 1));
    return blocks;
}

static bool any_empty(const struct blocks *blocks)
{
    for (uint32_t b = 0; b < blocks->count; b++)
        if (blocks->first[b] == blocks->first[b + 1])
            return true;
    return false;
}

static bool period(const struct causal_samples *samples, const struct causal_level *level,
                   struct jackknife_sum *sum)
{
    double time = 0, work = 0;
    for (uint32_t b = 0; b < samples->blocks; b++) {
        time += level->work_ns[b];
        work += (double)level->work[b];
        if (!level->work[b])
            return false;
    }
    sum->all = time / work;
    for (uint32_t b = 0; b < samples->blocks; b++)
        sum->left_out[b] = (time - level->work_ns[b]) / (work - (double)level->work[b]);
    return true;
}

/* Slow intervals come in bursts: as many as the blocks that have some are independent at the most. */
static uint32_t blocks_beyond(const int64_t *latencies, const struct blocks *blocks, double value)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < blocks->count; b++) {
        bool any = false;
        for (size_t i = blocks->first[b]; i < blocks->first[b + 1] && !any; i++)
            any = (double)latencies[i] >= value;
        count += any;
    }
    return count;
}

/* A quantile needs enough beyond it. */
static bool is_enough(const struct blocks *blocks, double q)
{
    return (double)blocks->first[blocks->count] * (1 - q) >= CAUSAL_LEAST_BEYOND;
}

/* False: the level has too little for it. */
static bool measure(const struct causal_samples *samples, uint32_t index, enum causal_metric metric,
                    struct jackknife_sum *sum)
{
    const struct causal_level *level = &samples->levels[index];
    struct blocks blocks = blocks_of(samples, level);
    *sum = (struct jackknife_sum){0};
    if (metric == CAUSAL_PERIOD)
        return period(samples, level, sum);
    double q = causal_metric_quantile(metric);
    if (any_empty(&blocks) || (q > 0 && !is_enough(&blocks, q)))
        return false;
    causal_metric_sum(level->latencies, &blocks, metric, sum);
    return q == 0 ||
           blocks_beyond(level->latencies, &blocks, sum->all) >= CAUSAL_LEAST_BEYOND_BLOCKS;
}

struct causal_effect causal_effect_of(const struct causal_samples *samples, uint32_t level,
                                      uint32_t against, enum causal_metric metric)
{
    return causal_effect_within(samples, level, against, metric, 0.05);
}

static double delay_cost(const struct causal_samples *samples, uint32_t level, uint32_t against)
{
    return CAUSAL_DELAY_COST *
           fabs(samples->levels[level].granted - samples->levels[against].granted);
}

static bool measure_both(const struct causal_samples *samples, uint32_t level, uint32_t against,
                         enum causal_metric metric, struct jackknife_sum *then,
                         struct jackknife_sum *now)
{
    return samples->blocks > 1 && measure(samples, against, metric, then) &&
           measure(samples, level, metric, now) && then->all > 0 && now->all > 0;
}

struct causal_effect causal_effect_rough(const struct causal_samples *samples, uint32_t level,
                                         uint32_t against, enum causal_metric metric,
                                         double outside)
{
    struct causal_effect effect = {.known = false};
    struct jackknife_sum then, now;
    if (!measure_both(samples, level, against, metric, &then, &now))
        return effect;
    effect.known = true;
    effect.ratio = now.all / then.all;
    jackknife_positive_ratio(&now, &then, samples->blocks,
                             student_beyond(outside, samples->blocks - 1), effect.ci95);
    double cost = exp(delay_cost(samples, level, against));
    effect.ci95[0] /= cost;
    effect.ci95[1] *= cost;
    return effect;
}

struct causal_effect causal_effect_within(const struct causal_samples *samples, uint32_t level,
                                          uint32_t against, enum causal_metric metric,
                                          double outside)
{
    if (samples->blocks < CAUSAL_LEAST_BLOCKS)
        return (struct causal_effect){.known = false};
    return causal_effect_rough(samples, level, against, metric, outside);
}

double causal_effect_chance(const struct causal_samples *samples, uint32_t level, uint32_t against,
                            enum causal_metric metric)
{
    struct jackknife_sum then, now;
    double interval[2];
    if (samples->blocks < CAUSAL_LEAST_BLOCKS ||
        !measure_both(samples, level, against, metric, &then, &now))
        return 1;
    jackknife_positive_ratio(&now, &then, samples->blocks, 1, interval);
    double error = log(interval[1] / interval[0]) / 2;
    double beyond = fabs(log(now.all / then.all)) - delay_cost(samples, level, against);
    if (beyond <= 0 || !isfinite(error))
        return 1;
    return error > 0 ? student_outside(beyond / error, samples->blocks - 1) : 0;
}

double causal_effect_width(const struct causal_effect *effect)
{
    bool bounded = effect->known && effect->ci95[0] > 0 && isfinite(effect->ci95[1]);
    return bounded ? sqrt(effect->ci95[1] / effect->ci95[0]) - 1 : INFINITY;
}

bool causal_effect_differs(const struct causal_effect *effect)
{
    return effect->known && (effect->ci95[1] < 1 || effect->ci95[0] > 1);
}

double causal_value(const struct causal_samples *samples, uint32_t level, enum causal_metric metric)
{
    struct jackknife_sum sum;
    return samples->blocks > 1 && measure(samples, level, metric, &sum) ? sum.all : 0;
}
