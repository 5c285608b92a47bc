#include "causal/causal_sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "causal/causal_interval.h"

struct gather {
    const struct timelines *run;
    const struct experiments *all;
    struct causal_choice choice;
    struct causal_samples *samples;
    uint32_t block_numbers;
    int64_t *ends; /* of a window */
    size_t end_capacity;
};

/* ---- which experiments count ---- */

static bool is_of(const struct gather *g, const struct experiment *one)
{
    bool screening = g->choice.source == CAUSAL_OF_SCREENING;
    return one->target == g->choice.target && one->block > 0 && (one->round > 0) == screening &&
           (g->choice.source != CAUSAL_OF_NOISE || one->share == 0);
}

/* Which of its block's experiments without a delay that is, of those that came to their end. */
static uint32_t place_in_block(const struct gather *g, const struct experiment *one)
{
    uint32_t place = 0;
    for (const struct experiment *before = one; before-- > g->all->items;)
        place += is_of(g, before) && before->block == one->block && before->whole;
    return place;
}

static double share_of(const struct gather *g, const struct experiment *one)
{
    if (g->choice.source != CAUSAL_OF_NOISE)
        return one->share;
    return (place_in_block(g, one) + one->block) % 2;
}

static int by_share(const void *a, const void *b)
{
    double p = ((const struct causal_level *)a)->share, q = ((const struct causal_level *)b)->share;
    return (p > q) - (p < q);
}

static struct causal_level *level_of(struct causal_samples *samples, double share)
{
    for (uint32_t i = 0; i < samples->level_count; i++)
        if (samples->levels[i].share == share)
            return &samples->levels[i];
    return NULL;
}

static void find_levels(struct gather *g)
{
    struct causal_samples *samples = g->samples;
    samples->levels = memory_zeroed(sizeof *samples->levels * (g->all->count + 1));
    for (uint32_t i = 0; i < g->all->count; i++) {
        const struct experiment *one = &g->all->items[i];
        if (is_of(g, one) && !level_of(samples, share_of(g, one)))
            samples->levels[samples->level_count++].share = share_of(g, one);
        if (is_of(g, one) && one->block > g->block_numbers)
            g->block_numbers = one->block;
    }
    qsort(samples->levels, samples->level_count, sizeof *samples->levels, by_share);
}

/* Experiments of that level in the block that came to their end. */
static uint32_t count_whole(const struct gather *g, uint32_t block, double share)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->all->count; i++) {
        const struct experiment *one = &g->all->items[i];
        count += is_of(g, one) && one->whole && one->block == block && share_of(g, one) == share;
    }
    return count;
}

/* A block is whole where it has as many of each level as any block has: one that did not come to its end may have been
 * made again. */
static bool is_whole(const struct gather *g, uint32_t block)
{
    for (uint32_t l = 0; l < g->samples->level_count; l++) {
        double share = g->samples->levels[l].share;
        uint32_t most = 1;
        for (uint32_t b = 1; b <= g->block_numbers; b++) {
            uint32_t count = count_whole(g, b, share);
            most = count > most ? count : most;
        }
        if (count_whole(g, block, share) < most)
            return false;
    }
    return true;
}

static void number_blocks(struct gather *g)
{
    uint32_t whole = 0;
    uint32_t *block_of = memory_zeroed(sizeof *block_of * (g->block_numbers + 1));
    g->samples->block_of = block_of;
    for (uint32_t b = 1; b <= g->block_numbers; b++)
        if (is_whole(g, b))
            block_of[b] = ++whole;
    g->samples->blocks = jackknife_block_count(whole);
    for (uint32_t b = 1; b <= g->block_numbers; b++)
        if (block_of[b])
            block_of[b] = 1 + jackknife_block(block_of[b] - 1, whole, g->samples->blocks);
    for (uint32_t i = 0; i < g->all->count; i++) {
        const struct experiment *one = &g->all->items[i];
        g->samples->broken += is_of(g, one) && !(one->whole && block_of[one->block]);
    }
}

/* ---- what they counted ---- */

static int64_t virtual_at(const struct timelines *run, uint32_t thread, time_ns time)
{
    return time - thread_delay_at(&run->threads[thread], time);
}

static void take_latencies(struct gather *g, const struct experiment *one,
                           struct causal_level *level)
{
    const struct timelines *run = g->run;
    for (uint32_t i = causal_interval_from(run, one->stages[TRACE_EXPERIMENT_COUNTS].time);
         i < run->interval_count &&
         run->intervals[i].begin < one->stages[TRACE_EXPERIMENT_DRAINS].time;
         i++) {
        const struct interval *interval = &run->intervals[i];
        if (!causal_interval_is_of(interval, g->choice.type) ||
            interval->end > one->stages[TRACE_EXPERIMENT_ENDS].time)
            continue;
        int64_t latency = virtual_at(run, interval->end_thread, interval->end) -
                          virtual_at(run, interval->begin_thread, interval->begin);
        g->samples->backwards += latency < 0;
        VEC_PUSH(level->latencies, level->count, level->capacity) = latency > 0 ? latency : 0;
    }
}

/* ---- the rate ---- */

static void add_end(struct gather *g, size_t *count, int64_t time)
{
    VEC_PUSH(g->ends, *count, g->end_capacity) = time;
}

static size_t visits_in(struct gather *g, time_ns from, time_ns until)
{
    size_t count = 0;
    for (uint32_t i = 0; i < g->all->visit_count; i++) {
        const struct visit *visit = &g->all->visits[i];
        if (visit->time >= from && visit->time < until)
            add_end(g, &count, visit->time - visit->delay_ns);
    }
    return count;
}

/* What ended in the window may have begun long before. */
static size_t ends_in(struct gather *g, time_ns longest, time_ns from, time_ns until)
{
    size_t count = 0;
    const struct timelines *run = g->run;
    for (uint32_t i = causal_interval_from(run, from - longest);
         i < run->interval_count && run->intervals[i].begin < until; i++) {
        const struct interval *one = &run->intervals[i];
        if (causal_interval_is_of(one, g->choice.type) && one->end >= from && one->end < until)
            add_end(g, &count, virtual_at(run, one->end_thread, one->end));
    }
    return count;
}

static void take_rate(struct gather *g, const struct experiment *one, time_ns longest,
                      struct causal_level *level, uint32_t block)
{
    time_ns from = one->stages[TRACE_EXPERIMENT_COUNTS].time;
    time_ns until = one->stages[TRACE_EXPERIMENT_DRAINS].time;
    size_t count =
        g->samples->by_visits ? visits_in(g, from, until) : ends_in(g, longest, from, until);
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        first = g->ends[i] < first ? g->ends[i] : first;
        last = g->ends[i] > last ? g->ends[i] : last;
    }
    if (count < 2) {
        g->samples->idle++;
        return;
    }
    level->work_ns[block] += (double)(last - first);
    level->work[block] += count - 1;
}

/* ---- whole runs ---- */

/* The run is the unit of work: what it took but for what its threads were to wait. */
static void take_run(const struct experiment *one, struct causal_level *level, uint32_t block)
{
    const struct experiment_sums *from = &one->stages[TRACE_EXPERIMENT_COUNTS];
    const struct experiment_sums *until = &one->stages[TRACE_EXPERIMENT_DRAINS];
    int64_t ns = until->time - from->time - (int64_t)(until->granted_ns - from->granted_ns);
    VEC_PUSH(level->latencies, level->count, level->capacity) = ns > 0 ? ns : 0;
    level->work_ns[block] += (double)ns;
    level->work[block]++;
}

/* ---- one level ---- */

static void add_sums(struct causal_level *level, const struct experiment *one, uint32_t block)
{
    const struct experiment_sums *from = &one->stages[TRACE_EXPERIMENT_COUNTS];
    const struct experiment_sums *until = &one->stages[TRACE_EXPERIMENT_DRAINS];
    level->experiments++;
    level->calls += until->calls - from->calls;
    level->block_calls[block] += until->calls - from->calls;
    level->target_ns += (double)(until->target_ns - from->target_ns);
    level->dose += (double)(until->granted_ns - from->granted_ns);
    level->window_ns += (double)(until->time - from->time);
}

static bool is_in(const struct gather *g, const struct experiment *one,
                  const struct causal_level *level, uint32_t block)
{
    return is_of(g, one) && one->whole && g->samples->block_of[one->block] == block + 1 &&
           share_of(g, one) == level->share;
}

static void gather_level(struct gather *g, struct causal_level *level, time_ns longest)
{
    for (uint32_t b = 0; b < g->samples->blocks; b++) {
        level->first[b] = level->count;
        for (uint32_t i = 0; i < g->all->count; i++) {
            const struct experiment *one = &g->all->items[i];
            if (!is_in(g, one, level, b))
                continue;
            if (g->all->plan.whole_runs > 0)
                take_run(one, level, b);
            else {
                take_latencies(g, one, level);
                take_rate(g, one, longest, level, b);
            }
            add_sums(level, one, b);
        }
    }
    level->first[g->samples->blocks] = level->count;
    double virtual_ns = level->window_ns - level->dose;
    level->granted = virtual_ns > 0 ? level->dose / virtual_ns : 0;
    level->dose = level->target_ns > 0 ? level->dose / level->target_ns : 0;
}

void causal_samples_choose(struct causal_samples *samples, const struct timelines *run,
                           struct causal_choice choice)
{
    *samples =
        (struct causal_samples){.by_visits = !choice.type && run->experiments->visit_count > 0};
    struct gather g = {.run = run, .all = run->experiments, .choice = choice, .samples = samples};
    find_levels(&g);
    number_blocks(&g);
    time_ns longest = causal_interval_longest(run);
    for (uint32_t i = 0; i < samples->level_count; i++)
        gather_level(&g, &samples->levels[i], longest);
    memory_free(g.ends);
}

void causal_samples_gather(struct causal_samples *samples, const struct timelines *run,
                           uint32_t target, const char *type)
{
    causal_samples_choose(samples, run, (struct causal_choice){.target = target, .type = type});
}

void causal_samples_release(struct causal_samples *samples)
{
    for (uint32_t i = 0; i < samples->level_count; i++)
        memory_free(samples->levels[i].latencies);
    memory_free(samples->levels);
    memory_free(samples->block_of);
    *samples = (struct causal_samples){0};
}
