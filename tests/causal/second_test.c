/* The second opinion in words and as JSON: where the replay is apart from the experiments, where it is not, and where there
 * is none. */
#include "report/causal/causal_second.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/causal/expect.h"

enum { BLOCKS = 12 };
/* All requests took 1 ms, and `left` of it at the second level. */
static void fill(struct causal_samples *samples, double left)
{
    *samples = (struct causal_samples){.level_count = 2, .blocks = BLOCKS};
    samples->levels = memory_zeroed(sizeof *samples->levels * 2);
    samples->levels[1].share = 0.5;
    for (int l = 0; l < 2; l++) {
        struct causal_level *level = &samples->levels[l];
        level->latencies = memory_alloc(sizeof *level->latencies * BLOCKS);
        level->count = BLOCKS;
        for (int b = 0; b < BLOCKS; b++) {
            level->latencies[b] = (int64_t)(1e6 * (l ? left : 1));
            level->first[b + 1] = (size_t)b + 1;
        }
    }
}

struct told {
    struct str words;
    json_t *json;
};

static struct told tell(double experiments, double again, const struct causal_replay *replay)
{
    struct causal_effect effects[2][CAUSAL_METRICS] = {{{0}}}, replays[2][CAUSAL_METRICS] = {{{0}}};
    struct causal_part part = {.effects = effects, .replays = replays};
    struct causal_target target = {.parts = &part, .part_count = 1, .replay = *replay};
    struct causal causal = {.targets = &target, .target_count = 1, .intervals = true};
    struct told told = {{0}, NULL};
    fill(&part.samples, experiments);
    fill(&part.replayed, again);
    effects[1][CAUSAL_MEAN] = causal_effect_of(&part.samples, 1, 0, CAUSAL_MEAN);
    if (causal_replay_is_known(replay))
        replays[1][CAUSAL_MEAN] = causal_effect_of(&part.replayed, 1, 0, CAUSAL_MEAN);
    causal_append_second(&causal, &target, &told.words);
    told.json = causal_json_second(&causal, &part, 1);
    causal_samples_release(&part.samples);
    causal_samples_release(&part.replayed);
    return told;
}

static void forget(struct told *told)
{
    str_release(&told->words);
    json_decref(told->json);
}

static bool says(const struct told *told, const char *words)
{
    if (strstr(str_text(&told->words), words))
        return true;
    printf("%s\n", str_text(&told->words));
    return false;
}

static bool is_apart(const struct told *told)
{
    return json_is_true(json_object_get(json_object_get(told->json, "mean"), "apart"));
}

int main(void)
{
    struct causal_replay all = {.noted = 1}, some = {.noted = 0.4}, none = {.noted = 0},
                         sockets = {.noted = 1, .unknown = 0.3};
    struct told told = tell(0.9, 0.7, &all);
    expect(says(&told,
                "At 50 % the experiments say mean -10 % (-10 .. -10), and the recorded order "
                "says -30 % (-30 .. -30): "),
           "a finding is told");
    expect(is_apart(&told), "and as JSON");
    expect(json_number_value(json_object_get(json_object_get(told.json, "mean"), "change")) ==
               0.7 - 1,
           "with its number");
    expect(json_is_null(json_object_get(told.json, "p99")), "what is not known is null");
    forget(&told);
    told = tell(0.9, 0.9, &all);
    expect(!told.words.length && told.json && !is_apart(&told), "where both agree there is none");
    forget(&told);
    told = tell(0.9, 0.7, &some);
    expect(says(&told, "only 40 % of its time has records") && !told.json, "too few records");
    forget(&told);
    told = tell(0.9, 0.7, &none);
    expect(says(&told, "its time has no records") && !told.json, "no records");
    forget(&told);
    told = tell(0.9, 0.7, &sockets);
    expect(says(&told, "threads waited 30 % of the time for what comes by sockets") && !told.json,
           "waits for sockets");
    forget(&told);
    return failures != 0;
}
