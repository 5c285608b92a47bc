#include "report/causal/causal_second.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/json_parts.h"

bool causal_has_second(const struct causal_part *part, uint32_t level)
{
    for (int m = 0; m < CAUSAL_METRICS; m++)
        if (part->replays[level][m].known)
            return true;
    return false;
}

/* ---- a finding ---- */

/* Where they are apart: level 0 is nowhere. */
struct finding {
    uint32_t level;
    enum causal_shown shown;
    double apart; /* of the ratio */
};

static bool is_apart(const struct causal *causal, const struct causal_part *part, uint32_t level,
                     enum causal_shown shown)
{
    bool withheld = shown == SHOWN_THROUGHPUT && causal->outside;
    return !withheld && causal_is_shown(causal, shown) &&
           causal_is_apart(part, level, causal_metric_of(shown));
}

static struct finding find(const struct causal *causal, const struct causal_part *part)
{
    struct finding found = {.level = 0};
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        for (int s = 0; s < SHOWN_COUNT; s++) {
            enum causal_metric metric = causal_metric_of(s);
            double apart = fabs(part->effects[l][metric].ratio - part->replays[l][metric].ratio);
            if (is_apart(causal, part, l, s) && apart > found.apart)
                found = (struct finding){l, s, apart};
        }
    return found;
}

static void append_finding(const struct causal *causal, const struct causal_part *part,
                           const struct finding *found, struct str *out)
{
    struct causal_change change = causal_change_of(causal, part, found->level, found->shown),
                         again = causal_replay_change_of(causal, part, found->level, found->shown);
    str_printf(out, "At %.0f %% the experiments say %s ",
               100 * part->samples.levels[found->level].share, causal_shown_names[found->shown]);
    causal_append_cell(&change, out);
    str_append(out, ", and the recorded order says ");
    causal_append_cell(&again, out);
    str_append(out, ": the order changes, threads contend or wait where they never did, or caches "
                    "have a part in it.");
}

static void append_unknown(const struct causal_replay *replay, struct str *out)
{
    if (replay->noted <= 0)
        str_append(out, "No second opinion: its time has no records, as where it is called very "
                        "often.");
    else if (replay->noted >= REPLAY_LEAST_NOTED)
        str_printf(out,
                   "No second opinion: threads waited %s of the time for what comes by sockets, "
                   "or from nobody knows whom.",
                   number_percent_short(replay->unknown).text);
    else
        str_printf(out, "No second opinion: only %s of its time has records.",
                   number_percent_short(replay->noted).text);
}

void causal_append_second(const struct causal *causal, const struct causal_target *target,
                          struct str *out)
{
    const struct causal_part *part = &target->parts[0];
    struct finding found = find(causal, part);
    if (causal->runs)
        return; /* there are no intervals to work out */
    if (part->samples.blocks && !causal_replay_is_known(&target->replay))
        append_unknown(&target->replay, out);
    else if (found.level)
        append_finding(causal, part, &found, out);
}

/* ---- as JSON ---- */

json_t *causal_json_second(const struct causal *causal, const struct causal_part *part,
                           uint32_t level)
{
    if (!causal_has_second(part, level))
        return NULL;
    json_t *object = json_object();
    for (int s = 0; s < SHOWN_COUNT; s++) {
        struct causal_change change = causal_replay_change_of(causal, part, level, s);
        json_t *one = json_null();
        if (change.known && !change.withheld) {
            one = json_object();
            json_set(one, "change", json_number(change.value));
            json_set(one, "ci95", json_interval95(change.ci95));
            json_set(one, "apart", json_boolean(is_apart(causal, part, level, s)));
        }
        json_set(object, causal_shown_keys[s], one);
    }
    return object;
}
