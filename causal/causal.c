#include "causal/causal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "causal/screen.h"
#include "stats/false_discovery.h"
#include "stats/student.h"

enum { MOST_TYPES = 16 }; /* told one by one */

/* ---- the parts ---- */

static double error_of(const struct causal_effect *effect, uint32_t blocks)
{
    double half = (effect->ci95[1] - effect->ci95[0]) / 2;
    return fmax(half / student_beyond(0.05, blocks - 1), 1e-9);
}

static struct curve curve_of(const struct causal_part *part, enum causal_metric metric)
{
    struct curve_point points[CURVE_MOST_POINTS];
    uint32_t count = 0;
    for (uint32_t l = 1; l < part->samples.level_count && count < CURVE_MOST_POINTS; l++) {
        const struct causal_effect *effect = &part->effects[l][metric];
        double x = part->samples.levels[l].dose;
        if (effect->known && isfinite(effect->ci95[0]) && isfinite(effect->ci95[1]) && x > 0 &&
            (!count || x > points[count - 1].x))
            points[count++] =
                (struct curve_point){x, effect->ratio, error_of(effect, part->samples.blocks)};
    }
    return curve_fit(points, count);
}

/* Of all pairs of levels one is told in one of twenty programs whose curves only fall, at the most
 * (Bonferroni). */
static bool does_hurt(const struct causal_part *part, enum causal_metric metric)
{
    bool hurts = false;
    uint32_t levels = part->samples.level_count, pairs = levels * (levels - 1) / 2;
    for (uint32_t l = 1; l < levels && !hurts; l++)
        for (uint32_t before = 0; before < l && !hurts; before++) {
            struct causal_effect effect =
                causal_effect_within(&part->samples, l, before, metric, 0.05 / pairs);
            hurts = effect.known && effect.ci95[0] > 1;
        }
    return hurts;
}

static void find_noise(struct causal_part *part, const struct timelines *run, uint32_t target,
                       const char *type)
{
    struct causal_samples samples;
    causal_samples_choose(&samples, run, (struct causal_choice){target, type, CAUSAL_OF_NOISE});
    for (int m = 0; m < CAUSAL_METRICS && samples.level_count == 2; m++)
        part->noise[m] = causal_effect_of(&samples, 1, 0, m),
        part->noise_chance[m] = causal_effect_chance(&samples, 1, 0, m);
    causal_samples_release(&samples);
}

static void find_part(struct causal_part *part, const struct timelines *run, uint32_t target,
                      const char *type)
{
    *part = (struct causal_part){.type = type};
    causal_samples_gather(&part->samples, run, target, type);
    part->effects = memory_zeroed(sizeof *part->effects * (part->samples.level_count + 1));
    for (uint32_t l = 0; l < part->samples.level_count; l++)
        for (int m = 0; m < CAUSAL_METRICS; m++)
            part->effects[l][m] = causal_effect_of(&part->samples, l, 0, m);
    for (int m = 0; m < CAUSAL_METRICS; m++) {
        part->curves[m] = curve_of(part, m);
        part->hurts[m] = does_hurt(part, m);
    }
    find_noise(part, run, target, type);
}

static void release_part(struct causal_part *part)
{
    causal_samples_release(&part->samples);
    causal_samples_release(&part->replayed);
    memory_free(part->effects);
    memory_free(part->replays);
}

/* ---- the same by the records ---- */

static void take_replay(struct causal_part *part, const struct causal_samples *replayed, bool known)
{
    part->replayed = *replayed;
    part->replays = memory_zeroed(sizeof *part->replays * (replayed->level_count + 1));
    for (uint32_t l = 0; l < replayed->level_count && known; l++)
        for (int m = 0; m < CAUSAL_METRICS; m++)
            part->replays[l][m] = causal_effect_of(&part->replayed, l, 0, m);
}

/* Of whole runs there are no intervals to work out. */
static void leave_unknown(struct causal_target *target)
{
    for (uint32_t p = 0; p < target->part_count; p++) {
        struct causal_part *part = &target->parts[p];
        part->replays = memory_zeroed(sizeof *part->replays * (part->samples.level_count + 1));
    }
}

static void replay_target(struct causal_target *target, const struct timelines *run, uint32_t index)
{
    struct replay_part parts[MOST_TYPES + 1];
    if (run->experiments->plan.whole_runs > 0) {
        leave_unknown(target);
        return;
    }
    for (uint32_t p = 0; p < target->part_count; p++)
        parts[p] =
            (struct replay_part){.type = target->parts[p].type, .of = &target->parts[p].samples};
    causal_replay_fill(&target->replay, parts, target->part_count, run, index);
    bool known = causal_replay_is_known(&target->replay);
    for (uint32_t p = 0; p < target->part_count; p++)
        take_replay(&target->parts[p], &parts[p].samples, known);
}

static bool have_nothing_in_common(const struct causal_effect *a, const struct causal_effect *b)
{
    return a->known && b->known && (a->ci95[1] < b->ci95[0] || b->ci95[1] < a->ci95[0]) &&
           fabs(a->ratio - b->ratio) >= CAUSAL_APART;
}

bool causal_is_apart(const struct causal_part *part, uint32_t level, enum causal_metric metric)
{
    double outside = 0.05 / ((part->samples.level_count - 1) * CAUSAL_METRICS);
    if (!have_nothing_in_common(&part->effects[level][metric], &part->replays[level][metric]))
        return false;
    struct causal_effect wide = causal_effect_within(&part->samples, level, 0, metric, outside),
                         again = causal_effect_within(&part->replayed, level, 0, metric, outside);
    return have_nothing_in_common(&wide, &again);
}

/* ---- the targets ---- */

/* Names are told once in a run. */
static uint32_t find_types(const struct timelines *run, const char *types[MOST_TYPES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->interval_count && count < MOST_TYPES; i++) {
        const char *type = run->intervals[i].type;
        bool known = !*type;
        for (uint32_t t = 0; t < count && !known; t++)
            known = strcmp(types[t], type) == 0;
        if (!known)
            types[count++] = type;
    }
    return count > 1 && run->experiments->plan.whole_runs <= 0 ? count : 0;
}

static void find_size(struct causal_target *target, const struct causal_level *none)
{
    if (none->window_ns <= 0)
        return;
    target->call_ns = none->calls ? none->target_ns / (double)none->calls : 0;
    target->processors = none->target_ns / none->window_ns;
}

static void find_screening(struct causal_target *target, const struct timelines *run,
                           uint32_t index)
{
    struct causal_screening *screening = &target->screening;
    struct causal_samples samples;
    for (uint32_t i = 0; i < run->experiments->count; i++) {
        const struct experiment *one = &run->experiments->items[i];
        if (one->target == index && one->block && one->round > screening->rounds)
            screening->rounds = one->round;
    }
    target->left_out = !target->parts[0].samples.level_count;
    if (!screening->rounds)
        return;
    causal_samples_choose(&samples, run, (struct causal_choice){index, NULL, CAUSAL_OF_SCREENING});
    screening->blocks = samples.blocks;
    if (samples.level_count > 1) {
        screening->share = samples.levels[samples.level_count - 1].share;
        for (int m = 0; m < CAUSAL_METRICS; m++)
            screening->effects[m] =
                causal_effect_rough(&samples, samples.level_count - 1, 0, m, 0.05);
    }
    if (target->left_out && samples.level_count)
        find_size(target, &samples.levels[0]);
    causal_samples_release(&samples);
}

static void find_target(struct causal_target *target, const struct timelines *run, uint32_t index)
{
    const char *types[MOST_TYPES];
    uint32_t type_count = find_types(run, types);
    *target =
        (struct causal_target){.kind = run->experiments->targets[index].kind,
                               .name = run->experiments->targets[index].name,
                               .parts = memory_zeroed(sizeof *target->parts * (type_count + 1)),
                               .part_count = type_count + 1};
    find_part(&target->parts[0], run, index, NULL);
    for (uint32_t t = 0; t < type_count; t++)
        find_part(&target->parts[t + 1], run, index, types[t]);
    replay_target(target, run, index);
    const struct causal_samples *all = &target->parts[0].samples;
    if (all->level_count)
        find_size(target, &all->levels[0]);
    find_screening(target, run, index);
}

/* The gain that is sure, of the mean or the rate, at the last level. */
static double sure_gain(const struct causal_target *target)
{
    const struct causal_part *part = &target->parts[0];
    double most = 0;
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        for (int m = CAUSAL_PERIOD; m <= CAUSAL_MEAN; m++)
            if (part->effects[l][m].known)
                most = fmax(most, 1 - part->effects[l][m].ci95[1]);
    return most;
}

/* Of those that are left out, the ones that stayed longer come first. */
static int by_gain(const void *a, const void *b)
{
    const struct causal_target *one = a, *other = b;
    double p = sure_gain(a), q = sure_gain(b);
    if (one->left_out != other->left_out)
        return one->left_out - other->left_out;
    if (one->left_out)
        return (one->screening.rounds < other->screening.rounds) -
               (one->screening.rounds > other->screening.rounds);
    return (p < q) - (p > q);
}

/* ---- what is claimed ---- */

/* A metric of a target, of which the levels together say something. */
struct claim {
    double chance;
    bool *claimed;
};

static int by_chance(const void *a, const void *b)
{
    double p = ((const struct claim *)a)->chance, q = ((const struct claim *)b)->chance;
    return (p > q) - (p < q);
}

/* By Simes (Biometrika 73, 1986): levels rise and fall together, as they have one reference. */
static double chance_of(const struct causal_part *part, enum causal_metric metric)
{
    double chances[CURVE_MOST_POINTS];
    uint32_t count = 0;
    for (uint32_t l = 1; l < part->samples.level_count && count < CURVE_MOST_POINTS; l++)
        chances[count++] = causal_effect_chance(&part->samples, l, 0, metric);
    return false_discovery_joint(chances, count);
}

static void add_claims(struct causal_part *part, struct claim *claims, size_t *count)
{
    for (int m = 0; m < CAUSAL_METRICS && part->samples.level_count > 1; m++)
        if (part->effects[1][m].known)
            claims[(*count)++] = (struct claim){chance_of(part, m), &part->claimed[m]};
}

static void find_claims(struct causal *causal)
{
    size_t count = 0, most = 0;
    for (uint32_t t = 0; t < causal->target_count; t++)
        most += (size_t)causal->targets[t].part_count * CAUSAL_METRICS;
    struct claim *claims = memory_alloc(sizeof *claims * (most + 1));
    double *chances = memory_alloc(sizeof *chances * (most + 1));
    for (uint32_t t = 0; t < causal->target_count; t++)
        for (uint32_t p = 0; p < causal->targets[t].part_count; p++)
            add_claims(&causal->targets[t].parts[p], claims, &count);
    qsort(claims, count, sizeof *claims, by_chance);
    for (size_t i = 0; i < count; i++)
        chances[i] = claims[i].chance;
    size_t told = false_discovery_told(chances, count, CAUSAL_FALSE_PART);
    for (size_t i = 0; i < told; i++)
        *claims[i].claimed = true;
    memory_free(claims);
    memory_free(chances);
}

/* ---- the whole ---- */

static void sum_experiments(struct causal *causal)
{
    const struct experiments *all = causal->run->experiments;
    double real = 0, granted = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct experiment *one = &all->items[i];
        causal->experiments += one->block > 0;
        if (!one->whole)
            continue;
        real += (double)(one->stages[3].time - one->stages[0].time);
        granted += (double)(one->stages[3].granted_ns - one->stages[0].granted_ns);
    }
    causal->seconds = real * 1e-9;
    causal->slowdown = real > granted ? real / (real - granted) : 1;
    for (uint32_t t = 0; t < causal->target_count; t++)
        causal->broken += causal->targets[t].parts[0].samples.broken;
}

struct causal *causal_find(const struct timelines *run, struct error *error)
{
    const struct experiments *all = run->experiments;
    if (!all || !all->target_count || !all->count) {
        error_set(error, ERROR_NOTHING,
                  "No experiment was made in this run: `vprofiler causal -- COMMAND` makes them.");
        return NULL;
    }
    struct causal *causal = memory_zeroed(sizeof *causal);
    causal->run = run;
    causal->outside = all->outside;
    causal->runs = all->plan.whole_runs > 0;
    causal->intervals = run->interval_count > 0 || causal->runs;
    causal->visits = all->visit_count > 0;
    causal->target_count = all->target_count;
    causal->targets = memory_zeroed(sizeof *causal->targets * all->target_count);
    for (uint32_t t = 0; t < all->target_count; t++)
        find_target(&causal->targets[t], run, t);
    find_claims(causal);
    for (uint32_t t = 0; t < all->target_count; t++)
        causal->left_out += causal->targets[t].left_out;
    qsort(causal->targets, causal->target_count, sizeof *causal->targets, by_gain);
    sum_experiments(causal);
    causal->laws = causal_laws_of(run);
    return causal;
}

static bool lies_within(const struct causal_effect *effect)
{
    return !effect->known || (effect->ci95[0] <= effect->ratio && effect->ratio <= effect->ci95[1]);
}

const char *causal_check(const struct causal *causal)
{
    for (uint32_t t = 0; t < causal->target_count; t++) {
        const struct causal_target *target = &causal->targets[t];
        if (target->replay.changed)
            return "a replay of the run as it was gives other times";
        if (target->replay.later)
            return "a replay with something faster makes something later";
        for (uint32_t p = 0; p < target->part_count; p++)
            for (uint32_t l = 0; l < target->parts[p].samples.level_count; l++)
                for (int m = 0; m < CAUSAL_METRICS; m++)
                    if (!lies_within(&target->parts[p].effects[l][m]) ||
                        !lies_within(&target->parts[p].replays[l][m]))
                        return "an effect lies outside of its interval";
    }
    return NULL;
}

uint32_t causal_level_near(const struct causal_part *part, double share)
{
    uint32_t best = 0;
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        if (!best || fabs(part->samples.levels[l].share - share) <
                         fabs(part->samples.levels[best].share - share))
            best = l;
    return best;
}

double causal_width_asked(const struct causal *causal)
{
    double asked = causal->run->experiments->plan.asked_width;
    return asked > 0 ? asked : CAUSAL_USUAL_WIDTH;
}

bool causal_is_noisy(const struct causal *causal, const struct causal_part *part,
                     enum causal_metric metric)
{
    if (!part->noise[metric].known ||
        causal_effect_width(&part->noise[metric]) <= causal_width_asked(causal))
        return false;
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        if (causal_effect_differs(&part->effects[l][metric]) && part->claimed[metric])
            return false;
    return true;
}

void causal_release(struct causal *causal)
{
    for (uint32_t t = 0; t < causal->target_count; t++) {
        for (uint32_t p = 0; p < causal->targets[t].part_count; p++)
            release_part(&causal->targets[t].parts[p]);
        memory_free(causal->targets[t].parts);
    }
    memory_free(causal->targets);
    memory_free(causal);
}
