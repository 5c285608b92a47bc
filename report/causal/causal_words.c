#include "report/causal/causal_words.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/* Ten times as much and more, where no change is told either. */
#define VAGUE 9.0

const char *const causal_shown_names[SHOWN_COUNT] = {"throughput", "mean", "sd", "p50", "p99"};
const char *const causal_shown_keys[SHOWN_COUNT] = {"throughput", "mean", "stddev", "p50", "p99"};

enum causal_metric causal_metric_of(enum causal_shown shown)
{
    static const enum causal_metric metrics[SHOWN_COUNT] = {[SHOWN_THROUGHPUT] = CAUSAL_PERIOD,
                                                            [SHOWN_MEAN] = CAUSAL_MEAN,
                                                            [SHOWN_SD] = CAUSAL_VARIANCE,
                                                            [SHOWN_P50] = CAUSAL_P50,
                                                            [SHOWN_P99] = CAUSAL_P99};
    return metrics[shown];
}

double causal_shown_ratio(double ratio, enum causal_shown shown)
{
    if (shown == SHOWN_THROUGHPUT)
        return 1 / ratio;
    return shown == SHOWN_SD ? sqrt(ratio) : ratio;
}

bool causal_is_shown(const struct causal *causal, enum causal_shown shown)
{
    return shown == SHOWN_THROUGHPUT ? !causal->runs : causal->intervals;
}

double causal_base_value(const struct causal_part *part, enum causal_shown shown)
{
    double value = causal_value(&part->samples, 0, causal_metric_of(shown));
    if (shown == SHOWN_THROUGHPUT)
        return value > 0 ? 1e9 / value : 0;
    return shown == SHOWN_SD ? sqrt(value) : value;
}

void causal_append_base(const struct causal_part *part, enum causal_shown shown, bool utf8,
                        struct str *out)
{
    double value = causal_base_value(part, shown);
    if (value <= 0)
        str_append(out, "-");
    else if (shown == SHOWN_THROUGHPUT)
        str_printf(out, "%.*f/s", value < 100 ? 1 : 0, value);
    else
        str_append(out, number_ns(value, utf8).text);
}

struct causal_change causal_plain_change(const struct causal *causal,
                                         const struct causal_effect *effects,
                                         enum causal_shown shown)
{
    const struct causal_effect *effect = &effects[causal_metric_of(shown)];
    struct causal_change change = {.known = effect->known};
    if (!effect->known)
        return change;
    bool inverse = shown == SHOWN_THROUGHPUT;
    change.withheld = inverse && causal->outside;
    change.differs = causal_effect_differs(effect) && !change.withheld;
    change.value = causal_shown_ratio(effect->ratio, shown) - 1;
    change.ci95[0] = causal_shown_ratio(effect->ci95[inverse], shown) - 1;
    change.ci95[1] = causal_shown_ratio(effect->ci95[!inverse], shown) - 1;
    return change;
}

struct causal_change causal_change_of(const struct causal *causal, const struct causal_part *part,
                                      uint32_t level, enum causal_shown shown)
{
    struct causal_change change = causal_plain_change(causal, part->effects[level], shown);
    change.differs = change.differs && part->claimed[causal_metric_of(shown)];
    change.noisy = causal_is_noisy(causal, part, causal_metric_of(shown));
    return change;
}

struct causal_change causal_replay_change_of(const struct causal *causal,
                                             const struct causal_part *part, uint32_t level,
                                             enum causal_shown shown)
{
    return causal_plain_change(causal, part->replays[level], shown);
}

/* Two digits, or one behind the point. */
static void append_number(double percent, bool sign, struct str *out)
{
    double rounded = fabs(percent) < 9.95 ? round(percent * 10) / 10 : round(percent);
    if (rounded == 0)
        rounded = 0; /* not -0.0 */
    if (!isfinite(percent))
        str_append(out, percent > 0 ? "more" : "less");
    else
        str_printf(out, sign ? "%+.*f" : "%.*f", fabs(rounded) < 9.95 ? 1 : 0, rounded);
}

void causal_append_percent(double change, struct str *out)
{
    append_number(100 * change, true, out);
    str_append(out, " %");
}

/* A quantile may lie between two heaps of latencies that are far apart. */
bool causal_is_vague(const struct causal_change *change)
{
    return change->known && !change->differs && change->ci95[1] > VAGUE;
}

bool causal_is_told(const struct causal_change *change)
{
    return change->known && !change->withheld && !change->noisy && !causal_is_vague(change);
}

static bool append_unknown(const struct causal_change *change, struct str *out)
{
    if (!change->known)
        str_append(out, "not known");
    else if (change->withheld)
        str_append(out, "not told");
    else if (change->noisy)
        str_append(out, "too noisy");
    else if (causal_is_vague(change))
        str_append(out, "too uncertain");
    return !causal_is_told(change);
}

void causal_append_cell(const struct causal_change *change, struct str *out)
{
    if (append_unknown(change, out))
        return;
    causal_append_percent(change->value, out);
    str_append(out, " (");
    append_number(100 * change->ci95[0], false, out);
    str_append(out, " .. ");
    append_number(100 * change->ci95[1], false, out);
    str_append(out, ")");
}

void causal_append_change(const struct causal_change *change, struct str *out)
{
    causal_append_cell(change, out);
    if (causal_is_told(change) && !change->differs)
        str_append(out, ", not told from 0");
}

static bool is_quantile(enum causal_shown shown)
{
    return shown == SHOWN_P50 || shown == SHOWN_P99;
}

void causal_append_reason(const struct causal *causal, const struct causal_part *part,
                          uint32_t level, enum causal_shown shown, struct str *out)
{
    struct causal_change change = causal_change_of(causal, part, level, shown);
    const struct causal_samples *samples = &part->samples;
    if (change.withheld)
        str_printf(out, "%s was not delayed, and gains from each delay", causal->outside);
    else if (change.noisy)
        str_append(out, "what is never delayed differs from itself by more than was asked for");
    else if (causal_is_vague(&change))
        str_append(out, "the interval reaches beyond ten times as much");
    else if (change.known)
        ;
    else if (samples->blocks < CAUSAL_LEAST_BLOCKS)
        str_printf(out, "only %u of %d blocks of experiments came to their end", samples->blocks,
                   CAUSAL_LEAST_BLOCKS);
    else if (is_quantile(shown))
        str_printf(out, "too few of %s intervals are beyond it",
                   number_count(samples->levels[level].first[samples->blocks]).text);
    else
        str_printf(out, "there is too little of it in some block of experiments");
}

static bool is_waits(const struct causal_target *target)
{
    return strcmp(target->kind, "waits") == 0;
}

void causal_append_what(const struct causal_target *target, struct str *out)
{
    if (strcmp(target->kind, "lock") == 0)
        str_printf(out, "what is done while %s is held", target->name);
    else if (is_waits(target))
        str_printf(out, "each wait for a %s", target->name);
    else
        str_append(out, target->name);
}

void causal_append_target(const struct causal_target *target, struct str *out)
{
    const char *of = is_waits(target) ? "the time" : "a processor";
    causal_append_what(target, out);
    if (target->processors <= 0)
        return;
    str_append(out, " (");
    if (target->call_ns > 0)
        str_printf(out, "%s %s, ", number_ns(target->call_ns, false).text,
                   strcmp(target->kind, "function") == 0 ? "a call" : "each");
    str_printf(out, "%s of %s)", number_percent_short(target->processors).text, of);
}

static void append_level(double share, struct str *out)
{
    if (fabs(share - 0.5) < 1e-6)
        str_append(out, "took half as long");
    else if (share > 1 - 1e-6)
        str_append(out, "took no time");
    else
        str_printf(out, "took %.0f %% less time", 100 * share);
}

void causal_append_sentence(const struct causal *causal, const struct causal_target *target,
                            uint32_t level, struct str *out)
{
    static const enum causal_shown order[] = {SHOWN_MEAN, SHOWN_SD, SHOWN_P99, SHOWN_THROUGHPUT};
    const struct causal_part *part = &target->parts[0];
    bool any = false;
    str_append(out, "If ");
    causal_append_target(target, out);
    str_append_char(out, ' ');
    append_level(part->samples.levels[level].share, out);
    str_append(out, ": ");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        struct causal_change change = causal_change_of(causal, part, level, order[i]);
        if (!change.known || !causal_is_shown(causal, order[i]))
            continue;
        str_printf(out, "%s%s ",
                   any            ? ", "
                   : causal->runs ? "a run's "
                                  : "",
                   causal_shown_names[order[i]]);
        causal_append_change(&change, out);
        any = true;
    }
    str_append(out, any ? "." : "not known.");
}

/* The metric that the shape is told of: the rate, or where that does not move, the mean. */
static enum causal_metric shape_metric(const struct causal *causal,
                                       const struct causal_target *target)
{
    const struct causal_part *part = &target->parts[0];
    for (uint32_t l = 1; l < part->samples.level_count && !causal->outside; l++)
        if (causal_effect_differs(&part->effects[l][CAUSAL_PERIOD]))
            return CAUSAL_PERIOD;
    return CAUSAL_MEAN;
}

static bool any_told(const struct causal_part *part, enum causal_metric metric)
{
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        if (causal_effect_differs(&part->effects[l][metric]))
            return true;
    return false;
}

void causal_append_shape(const struct causal *causal, const struct causal_target *target,
                         struct str *out)
{
    enum causal_metric metric = shape_metric(causal, target);
    const struct causal_part *part = &target->parts[0];
    const struct curve *curve = &part->curves[metric];
    const char *of = metric == CAUSAL_PERIOD ? "the time of a unit of work" : "the mean";
    if (part->hurts[metric])
        str_printf(out, "Making it faster hurts: %s gets longer again, beyond chance: contention.",
                   of);
    else if (!any_told(part, metric) || !curve->pieces)
        ;
    else if (curve->pieces > 1) {
        const struct curve_kink *kink = &curve->kinks[0];
        bool level = fabs(curve->slopes[1]) < fabs(curve->slopes[0]) / 10;
        if (kink->to - kink->from > 0.005)
            str_printf(out,
                       "Of use up to somewhere between %.0f %% and %.0f %%: ", 100 * kink->from,
                       100 * kink->to);
        else
            str_printf(out, "%s up to %.0f %%: ", level ? "Of use" : "Of most use", 100 * kink->to);
        str_append(out, level ? "then something else takes longest." : "then it brings less.");
    } else {
        str_printf(out, "Each hundredth of its time is worth %.2f %% of %s.", -curve->slopes[0],
                   of);
    }
}

void causal_append_made(const struct causal *causal, struct str *out)
{
    str_printf(out, "%s experiments in %.0f s, which took %.2f times as long as without delays",
               number_count(causal->experiments).text, causal->seconds, causal->slowdown);
    if (causal->broken)
        str_printf(out, "; %s did not come to an end and are left out",
                   number_count(causal->broken).text);
    str_printf(
        out,
        ". Virtual time went back %s times in %s steps of threads, and %s times in %s hand-overs.",
        number_count(causal->laws.backwards).text, number_count(causal->laws.marks).text,
        number_count(causal->laws.early).text, number_count(causal->laws.handed).text);
}
