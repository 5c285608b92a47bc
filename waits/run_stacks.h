/* run_stacks.h - what threads did while they ran, by a clock's samples.
 *
 *     log-writer   runs 48 % of the time:   71 %  crc32 < append < flush
 *
 * Each sample stands for the clock's period. The number of those with a stack is binomial: of n samples
 * of a group k with it give its part, k/n, with a standard deviation of sqrt(k/n (1 - k/n) / n).
 */
#ifndef WAITS_RUN_STACKS_H
#define WAITS_RUN_STACKS_H

#include "trace/task_index.h"
#include "waits/stack_sums.h"
#include "waits/wait_graph.h"

struct run_stacks {
    struct stack_sums sums; /* by group; the variance of the time is n p (1 - p) periods^2 */
    uint64_t *sampled;      /* by group */
    struct task_index tasks;
};

/* Borrows all of it. Without `names` nothing was recorded. */
void run_stacks_fill(struct run_stacks *stacks, struct sampled_names *names,
                     const struct timelines *run, const struct wait_graph *graph,
                     const struct kernel_side *side);
struct stack_sample;
/* Whose it is, or TASK_NONE. */
uint32_t run_stacks_task(const struct run_stacks *stacks, const struct stack_sample *sample);
void run_stacks_release(struct run_stacks *stacks);

#endif
