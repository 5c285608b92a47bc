#include "causal/plan.h"

#include "base/memory.h"

/* Sebastiano Vigna's version of SplitMix64 (Steele, Lea and Flood, OOPSLA'14). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Of so few the remainder is near enough to even. */
static uint32_t below(uint64_t *state, uint32_t count)
{
    return (uint32_t)(next_random(state) % count);
}

static uint32_t zeros(uint32_t level_count)
{
    return (level_count + 1) / 2;
}

uint32_t causal_plan_block_size(uint32_t level_count)
{
    return level_count + zeros(level_count);
}

static void shuffle_steps(struct causal_step *steps, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = below(state, i + 1);
        struct causal_step step = steps[i];
        steps[i] = steps[j];
        steps[j] = step;
    }
}

static void shuffle(uint32_t *numbers, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = below(state, i + 1), number = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = number;
    }
}

static void add_target(struct causal_plan *plan, const struct causal_design *design, uint32_t block,
                       uint32_t target, uint64_t *state)
{
    struct causal_step *first = &plan->steps[plan->count];
    uint32_t size = causal_plan_block_size(design->level_count);
    for (uint32_t i = 0; i < size; i++)
        first[i] = (struct causal_step){target, block, design->round,
                                        i < design->level_count ? design->levels[i] : 0};
    shuffle_steps(first, size, state);
    plan->count += size;
}

void causal_plan_make(struct causal_plan *plan, struct causal_design design)
{
    uint64_t state = design.seed;
    size_t count =
        (size_t)design.targets * design.blocks * causal_plan_block_size(design.level_count);
    uint32_t *order = memory_alloc(sizeof *order * (design.targets + 1));
    *plan = (struct causal_plan){memory_alloc(sizeof *plan->steps * (count + 1)), 0};
    for (uint32_t t = 0; t < design.targets; t++)
        order[t] = t;
    for (uint32_t block = 1; block <= design.blocks; block++) {
        shuffle(order, design.targets, &state);
        for (uint32_t t = 0; t < design.targets; t++)
            add_target(plan, &design, block, order[t], &state);
    }
    memory_free(order);
}

void causal_plan_release(struct causal_plan *plan)
{
    memory_free(plan->steps);
    *plan = (struct causal_plan){0};
}
