/* plan.h - which experiments are made, in which order: drawn before the first one.
 *
 *     struct causal_plan plan;
 *     causal_plan_make(&plan, (struct causal_design){.targets = 2, .blocks = 10, ...});
 *     plan.steps[i].target, .level, .block
 *     causal_plan_release(&plan);
 *
 *   block 1   target b: 0.5 0 1 0.25 0 0.75    target a: 0 0.75 ...       block 2   target a: ...
 *
 * What runs at a moment has no say in what is experimented with then: a phase of the program can't
 * choose its target. In each block each target has each level once, and half as often none, in
 * random order, one right behind the other: what drifts is alike for all of them (a switchback
 * design: Bojinov, Simchi-Levi and Zhao, Management Science 69(7), 2023). The same seed gives the same plan.
 */
#ifndef CAUSAL_PLAN_H
#define CAUSAL_PLAN_H

#include <stdint.h>

struct causal_design {
    uint32_t targets, blocks;
    const double *levels; /* parts of the target's time, 0 < level <= 1 */
    uint32_t level_count;
    uint64_t seed;
    uint32_t round;
};

struct causal_step {
    uint32_t target; /* index */
    uint32_t block;  /* from 1 */
    uint32_t round;  /* of screening, from 1; 0: of the answer */
    double level;    /* 0: none */
};

struct causal_plan {
    struct causal_step *steps;
    uint32_t count;
};

/* Experiments of one target in one block. */
uint32_t causal_plan_block_size(uint32_t level_count);
void causal_plan_make(struct causal_plan *plan, struct causal_design design);
void causal_plan_release(struct causal_plan *plan);

#endif
