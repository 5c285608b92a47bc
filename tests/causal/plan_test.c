/* The plan of experiments: each block has each target's levels once and none half as often, the same seed gives the same
 * plan, and the order has no preference. */
#include "causal/plan.h"
#include "tests/causal/expect.h"

#include <stdio.h>
#include <string.h>

static const double levels[] = {0.25, 0.5, 0.75, 1};

static struct causal_plan make(uint32_t targets, uint32_t blocks, uint64_t seed)
{
    struct causal_plan plan;
    causal_plan_make(&plan, (struct causal_design){targets, blocks, levels, 4, seed, 0});
    return plan;
}

static void look_at_blocks(void)
{
    struct causal_plan plan = make(3, 10, 1);
    expect(plan.count == 3 * 10 * 6, "a block has six experiments of each target");
    for (uint32_t at = 0; at < plan.count; at += 6) {
        uint32_t zeros = 0, seen = 0;
        for (uint32_t i = at; i < at + 6; i++) {
            expect(plan.steps[i].target == plan.steps[at].target, "a block is of one target");
            expect(plan.steps[i].block == at / 18 + 1, "blocks follow each other");
            zeros += plan.steps[i].level == 0;
            for (int l = 0; l < 4; l++)
                seen |= (plan.steps[i].level == levels[l]) << l;
        }
        expect(zeros == 2 && seen == 15, "each level once, and none twice");
    }
    causal_plan_release(&plan);
}

static void look_at_seeds(void)
{
    struct causal_plan a = make(2, 20, 7), b = make(2, 20, 7), c = make(2, 20, 8);
    int same = 1, other = 1;
    for (uint32_t i = 0; i < a.count; i++) {
        same &= a.steps[i].level == b.steps[i].level && a.steps[i].target == b.steps[i].target;
        other &= a.steps[i].level == c.steps[i].level;
    }
    expect(same, "one seed gives one plan");
    expect(!other, "another seed gives another one");
    causal_plan_release(&a);
    causal_plan_release(&b);
    causal_plan_release(&c);
}

/* Of 6,000 blocks each level is first in about 1,000: a standard error is 29. */
static void look_at_order(void)
{
    struct causal_plan plan = make(1, 6000, 3);
    uint32_t first[5] = {0};
    for (uint32_t at = 0; at < plan.count; at += 6)
        first[(int)(plan.steps[at].level * 4)]++;
    for (int l = 1; l < 5; l++)
        expect(first[l] > 870 && first[l] < 1130, "each level is first as often");
    expect(first[0] > 1850 && first[0] < 2150, "none is first twice as often");
    causal_plan_release(&plan);
}

int main(void)
{
    look_at_blocks();
    look_at_seeds();
    look_at_order();
    return failures != 0;
}
