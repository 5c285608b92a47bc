#include "report/causal/causal_report.h"
#include "report/causal/causal_second.h"
#include "report/causal/causal_trust.h"
#include "report/causal/causal_words.h"
#include "report/kit/json_parts.h"

static json_t *json_change(const struct causal_change *change)
{
    json_t *object = json_object();
    if (!change->known || change->withheld) {
        json_decref(object);
        return json_null();
    }
    json_set(object, "change", json_number(change->value));
    json_set(object, "ci95", json_interval95(change->ci95));
    json_set(object, "told", json_boolean(change->differs));
    json_set(object, "too_noisy", json_boolean(change->noisy));
    return object;
}

static json_t *json_level(const struct causal *causal, const struct causal_part *part,
                          uint32_t index)
{
    const struct causal_level *level = &part->samples.levels[index];
    json_t *object = json_object();
    json_set(object, "share", json_number(level->share));
    json_set(object, "dose", json_number(level->dose));
    json_set(object, "experiments", json_count(level->experiments));
    json_set(object, "count", json_count(level->first[part->samples.blocks]));
    for (int s = 0; index && s < SHOWN_COUNT; s++) {
        struct causal_change change = causal_change_of(causal, part, index, s);
        json_set(object, causal_shown_keys[s], json_change(&change));
    }
    json_t *second = index ? causal_json_second(causal, part, index) : NULL;
    if (second)
        json_set(object, "replay", second);
    return object;
}

static json_t *json_curve(const struct curve *curve, bool hurts)
{
    json_t *object = json_object(), *slopes = json_array(), *kinks = json_array();
    for (uint32_t p = 0; p < curve->pieces; p++)
        json_push(slopes, json_number(curve->slopes[p]));
    for (uint32_t k = 0; k + 1 < curve->pieces; k++) {
        json_t *kink = json_array();
        json_push(kink, json_number(curve->kinks[k].from));
        json_push(kink, json_number(curve->kinks[k].to));
        json_push(kinks, kink);
    }
    json_set(object, "slopes", slopes);
    json_set(object, "kinks", kinks);
    json_set(object, "hurts", json_boolean(hurts));
    return object;
}

static json_t *json_effects(const struct causal *causal, const struct causal_effect *effects)
{
    json_t *object = json_object();
    for (int s = 0; s < SHOWN_COUNT; s++) {
        struct causal_change change = causal_plain_change(causal, effects, s);
        json_set(object, causal_shown_keys[s], json_change(&change));
    }
    return object;
}

static json_t *json_screening(const struct causal *causal, const struct causal_target *target)
{
    const struct causal_screening *screening = &target->screening;
    if (!screening->rounds)
        return json_null();
    json_t *object = json_object();
    json_set(object, "rounds", json_count(screening->rounds));
    json_set(object, "blocks", json_count(screening->blocks));
    json_set(object, "share", json_number(screening->share));
    json_set(object, "effects", json_effects(causal, screening->effects));
    return object;
}

static void set_plan_member(void *object, const char *what, double value)
{
    json_set(object, what, value > 0 ? json_number(value) : json_null());
}

/* What was asked for, planned and counted; null: nothing of it. */
static json_t *json_plan(const struct experiment_plan *plan)
{
    json_t *object = json_object();
    experiment_plan_each(plan, set_plan_member, object);
    return object;
}

static json_t *json_part(const struct causal *causal, const struct causal_part *part)
{
    static const char *const names[CAUSAL_METRICS] = {"period_ns", "mean_ns", "variance_ns2",
                                                      "p50_ns", "p99_ns"};
    json_t *object = json_object(), *levels = json_array(), *curves = json_object(),
           *base = json_object();
    json_set(object, "type", part->type ? json_text(part->type) : json_null());
    json_set(object, "blocks", json_count(part->samples.blocks));
    for (int m = 0; m < CAUSAL_METRICS; m++) {
        double value = causal_value(&part->samples, 0, m);
        json_set(base, names[m], value > 0 ? json_number(value) : json_null());
        json_set(curves, names[m], json_curve(&part->curves[m], part->hurts[m]));
    }
    json_set(object, "as_it_is", base);
    json_set(object, "no_delay_against_none", json_effects(causal, part->noise));
    for (uint32_t l = 0; l < part->samples.level_count; l++)
        json_push(levels, json_level(causal, part, l));
    json_set(object, "levels", levels);
    json_set(object, "curves", curves);
    return object;
}

static json_t *json_target(const struct causal *causal, const struct causal_target *target)
{
    json_t *object = json_object(), *parts = json_array();
    struct str shape = {0}, sentence = {0}, second = {0};
    uint32_t level = causal_level_near(&target->parts[0], 0.5);
    causal_append_shape(causal, target, &shape);
    causal_append_second(causal, target, &second);
    if (level)
        causal_append_sentence(causal, target, level, &sentence);
    json_set(object, "kind", json_text(target->kind));
    json_set(object, "name", json_text(target->name));
    json_set(object, "call_ns", json_number(target->call_ns));
    json_set(object, "processors", json_number(target->processors));
    json_set(object, "left_out", json_boolean(target->left_out));
    json_set(object, "screening", json_screening(causal, target));
    json_set(object, "too_noisy",
             json_boolean(causal_is_noisy(causal, &target->parts[0],
                                          causal->intervals ? CAUSAL_MEAN : CAUSAL_PERIOD)));
    json_set(object, "sentence", json_text(str_text(&sentence)));
    json_set(object, "shape", json_text(str_text(&shape)));
    json_set(object, "second_opinion", json_text(str_text(&second)));
    json_set(object, "noted", json_number(target->replay.noted));
    for (uint32_t p = 0; p < target->part_count; p++)
        json_push(parts, json_part(causal, &target->parts[p]));
    json_set(object, "parts", parts);
    str_release(&shape);
    str_release(&sentence);
    str_release(&second);
    return object;
}

json_t *causal_json(const struct causal *causal, const struct doubts *doubts)
{
    json_t *object = json_object(), *targets = json_array(), *laws = json_object();
    struct str headline = {0};
    causal_headline(causal, &headline);
    json_set(object, "schema", json_text("vprofiler.causal/1"));
    json_set(object, "headline", json_text(headline.data));
    json_set(object, "experiments", json_count(causal->experiments));
    json_set(object, "broken", json_count(causal->broken));
    json_set(object, "seconds", json_number(causal->seconds));
    json_set(object, "slowdown", json_number(causal->slowdown));
    json_set(object, "intervals", json_boolean(causal->intervals));
    json_set(object, "end_to_end", json_boolean(causal->runs));
    json_set(object, "outside", causal->outside ? json_text(causal->outside) : json_null());
    json_set(laws, "steps", json_count(causal->laws.marks));
    json_set(laws, "backwards", json_count(causal->laws.backwards));
    json_set(laws, "handed", json_count(causal->laws.handed));
    json_set(laws, "early", json_count(causal->laws.early));
    json_set(laws, "worst_ns", json_number(causal->laws.worst_ns));
    json_set(object, "virtual_time", laws);
    json_set(object, "plan", json_plan(&causal->run->experiments->plan));
    for (uint32_t t = 0; t < causal->target_count; t++)
        json_push(targets, json_target(causal, &causal->targets[t]));
    json_set(object, "targets", targets);
    json_set(object, "warnings", json_warnings(doubts->items, doubts->count));
    str_release(&headline);
    return object;
}
