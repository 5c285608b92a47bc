#include "report/causal/causal_trust.h"

#include <math.h>

#include "base/number.h"
#include "causal/width.h"
#include "report/causal/causal_words.h"

#define SENTENCE_LEVEL 0.5

enum causal_metric causal_width_metric(const struct causal *causal,
                                       const struct causal_target *target)
{
    static const enum causal_metric order[] = {CAUSAL_P99, CAUSAL_MEAN};
    const struct causal_part *part = &target->parts[0];
    uint32_t level = causal_level_near(part, SENTENCE_LEVEL);
    for (int i = 0; i < 2 && level && causal->intervals; i++)
        if (part->effects[level][order[i]].known)
            return order[i];
    return CAUSAL_PERIOD;
}

double causal_width_came(const struct causal *causal, const struct causal_target *target)
{
    const struct causal_part *part = &target->parts[0];
    uint32_t level = causal_level_near(part, SENTENCE_LEVEL);
    return level ? causal_effect_width(&part->effects[level][causal_width_metric(causal, target)])
                 : INFINITY;
}

/* The widest of the targets. */
static double widest(const struct causal *causal, enum causal_metric *metric)
{
    double most = 0;
    for (uint32_t t = 0; t < causal->target_count; t++) {
        double came = causal_width_came(causal, &causal->targets[t]);
        if (causal->targets[t].left_out || came < most)
            continue;
        most = came;
        *metric = causal_width_metric(causal, &causal->targets[t]);
    }
    return most;
}

void causal_append_plan(const struct causal *causal, struct str *out)
{
    const struct experiment_plan *plan = &causal->run->experiments->plan;
    enum causal_metric metric = CAUSAL_PERIOD;
    double came = widest(causal, &metric);
    if (plan->planned_s <= 0)
        return;
    str_printf(out, "Planned %.0f s, took %.0f s", plan->planned_s, plan->took_s);
    if (plan->asked_width > 0)
        str_printf(out, "; asked for an interval of +-%s",
                   number_percent_short(plan->asked_width).text);
    else if (plan->expected_width > 0)
        str_printf(out, "; expected an interval of +-%s",
                   number_percent_short(plan->expected_width).text);
    if (isfinite(came) && came > 0)
        str_printf(out, "%s at half of the target's time it is +-%s for %s",
                   plan->asked_width > 0 || plan->expected_width > 0 ? ":" : ";",
                   number_percent_short(came).text, causal_width_name(metric));
    str_append(out, ".");
}

static bool append_changes(const struct causal *causal, const struct causal_effect *effects,
                           struct str *out)
{
    bool any = false;
    for (int s = 0; s < SHOWN_COUNT; s++) {
        struct causal_change change = causal_plain_change(causal, effects, s);
        if (!change.known || !causal_is_shown(causal, s))
            continue;
        str_printf(out, "%s%s ", any ? ", " : "", causal_shown_names[s]);
        causal_append_cell(&change, out);
        any = true;
    }
    return any;
}

void causal_append_noise(const struct causal *causal, const struct causal_target *target,
                         struct str *out)
{
    struct str changes = {0};
    if (append_changes(causal, target->parts[0].noise, &changes))
        str_printf(out, "No delay against no delay: %s.", changes.data);
    str_release(&changes);
}

void causal_append_left_out(const struct causal *causal, const struct causal_target *target,
                            struct str *out)
{
    const struct causal_screening *screening = &target->screening;
    causal_append_target(target, out);
    if (!screening->rounds) {
        str_append(out,
                   ": no experiment was made with it, as it did not run while it was watched.");
        return;
    }
    str_printf(out, ": left out after %u round%s of screening, %u blocks", screening->rounds,
               number_plural(screening->rounds), screening->blocks);
    struct str changes = {0};
    if (append_changes(causal, screening->effects, &changes))
        str_printf(out, "; %.0f %% faster there: %s", 100 * screening->share, changes.data);
    str_append(out, ".");
    str_release(&changes);
}
