#include "driver/experiments/look.h"

#include <math.h>

#include "base/memory.h"
#include "causal/screen.h"
#include "trace/experiment.h"
#include "trace/timeline_load.h"

struct series {
    int64_t *values;
    size_t count, capacity;
};

bool look_open(struct look *look, const char *trace, struct error *error)
{
    return timelines_open(&look->run, trace, error);
}

bool look_open_calls(struct look *look, const char *trace, struct error *error)
{
    return timelines_load(&look->run, trace, error);
}

void look_release(struct look *look)
{
    timelines_release(&look->run);
}

static bool is_pilot(const struct experiment *one)
{
    return one->block == 0 && one->stages[TRACE_EXPERIMENT_ENDS].time;
}

static bool is_within(const struct experiment *one, time_ns time)
{
    return time >= one->stages[TRACE_EXPERIMENT_BEGINS].time &&
           time < one->stages[TRACE_EXPERIMENT_ENDS].time;
}

static void take_latencies(const struct look *look, const struct experiment *one,
                           struct series *series)
{
    for (uint32_t i = 0; i < look->run.interval_count; i++) {
        const struct interval *interval = &look->run.intervals[i];
        if (interval->complete && is_within(one, interval->begin))
            VEC_PUSH(series->values, series->count, series->capacity) =
                interval->end - interval->begin;
    }
}

/* The intervals are in the order of their begins, and about in that of their ends. */
static void take_gaps(const struct look *look, const struct experiment *one, struct series *series)
{
    const struct experiments *all = look->run.experiments;
    time_ns last = 0;
    for (uint32_t i = 0; i < all->visit_count; i++) {
        time_ns time = all->visits[i].time;
        if (is_within(one, time) && last)
            VEC_PUSH(series->values, series->count, series->capacity) = time - last;
        last = is_within(one, time) ? time : 0;
    }
}

struct causal_spread look_spread(const struct look *look, enum causal_metric *metric)
{
    static const enum causal_metric order[] = {CAUSAL_P99, CAUSAL_MEAN, CAUSAL_PERIOD};
    const struct experiments *all = look->run.experiments;
    struct series latencies = {0}, gaps = {0};
    struct causal_spread spread = {.known = false};
    double seconds = 0;
    for (uint32_t i = 0; all && i < all->count; i++)
        if (is_pilot(&all->items[i])) {
            take_latencies(look, &all->items[i], &latencies);
            take_gaps(look, &all->items[i], &gaps);
            seconds += 1e-9 * (double)(all->items[i].stages[TRACE_EXPERIMENT_ENDS].time -
                                       all->items[i].stages[TRACE_EXPERIMENT_BEGINS].time);
        }
    for (int i = 0; i < 3 && !spread.known; i++) {
        const struct series *of = order[i] == CAUSAL_PERIOD ? &gaps : &latencies;
        *metric = order[i];
        spread = causal_spread_of(of->values, of->count, seconds, order[i]);
    }
    memory_free(latencies.values);
    memory_free(gaps.values);
    return spread;
}

double look_width(const struct look *look, uint32_t target)
{
    struct causal_samples samples;
    causal_samples_choose(&samples, &look->run, (struct causal_choice){.target = target});
    double most = samples.level_count > 1 ? 0 : INFINITY;
    for (uint32_t l = 1; l < samples.level_count; l++) {
        struct causal_effect effect = causal_effect_of(&samples, l, 0, CAUSAL_MEAN);
        most = fmax(most, causal_effect_width(&effect));
    }
    causal_samples_release(&samples);
    return most;
}

double look_bound(const struct look *look, uint32_t target)
{
    struct causal_samples samples;
    causal_samples_choose(&samples, &look->run,
                          (struct causal_choice){target, NULL, CAUSAL_OF_SCREENING});
    double bound = causal_screen_bound(&samples, !look->run.experiments->outside);
    causal_samples_release(&samples);
    return bound;
}
