#include "causal/screen.h"

#include <math.h>

#include "base/memory.h"

uint32_t causal_screen_left(uint32_t targets, uint32_t keep)
{
    uint32_t half = (targets + 1) / 2;
    return half > keep ? half : keep;
}

uint32_t causal_screen_rounds(uint32_t targets, uint32_t keep)
{
    uint32_t rounds = 0;
    for (; targets > keep; rounds++)
        targets = causal_screen_left(targets, keep);
    return rounds;
}

double causal_screen_bound(const struct causal_samples *samples, bool rate)
{
    double most = -INFINITY;
    for (int m = rate ? CAUSAL_PERIOD : CAUSAL_MEAN; m < CAUSAL_METRICS && samples->level_count > 1;
         m++) {
        struct causal_effect effect =
            causal_effect_rough(samples, samples->level_count - 1, 0, m, CAUSAL_SCREEN_OUTSIDE);
        if (effect.known)
            most = fmax(most, -log(effect.ci95[1]) / (m == CAUSAL_VARIANCE ? 2 : 1));
    }
    return most;
}

/* They are few. */
uint32_t causal_screen_halve(uint32_t *targets, const double *bounds, uint32_t count, uint32_t keep)
{
    double *sorted = memory_alloc(sizeof *sorted * (count + 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = targets[i], place = i;
        for (; place > 0 && sorted[place - 1] < bounds[i]; place--) {
            sorted[place] = sorted[place - 1];
            targets[place] = targets[place - 1];
        }
        sorted[place] = bounds[i];
        targets[place] = target;
    }
    memory_free(sorted);
    return count > keep ? causal_screen_left(count, keep) : count;
}
