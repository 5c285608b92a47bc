/* stack_comparison.h - two sides of runs, or two kinds of requests of one run, compared context by context.
 *
 *     struct stack_comparison comparison = {.unit = CHANGE_A_REQUEST, .blocks = CHANGE_BLOCKS};
 *     stack_comparison_add(&comparison, 0, &run, NULL);           A's runs, then B's; each may be released then
 *     stack_comparison_add(&comparison, 1, &run, NULL);
 *     stack_comparison_make(&comparison);
 *     comparison.changes, comparison.laid, comparison.place
 *     stack_comparison_release(&comparison);
 *
 * `place` is where the change is, in one sentence: from the root downwards to the node below which lies most
 * of what surely changed, as long as that is more than half of what there is above it; of the kernel's
 * functions it is who called them. What threads waited for each other, or for work, counts there only if
 * nothing else changed. What differs between two runs only runs can tell: compared by run, a run is one
 * block, and of fewer than CHANGE_RUNS nothing is told. Owns all that it has; borrows a run while it is added.
 */
#ifndef STACKS_STACK_COMPARISON_H
#define STACKS_STACK_COMPARISON_H

#include "stacks/laid_tree.h"
#include "stacks/path_change.h"
#include "stacks/side_blocks.h"

/* What a side was seen of, in all of its runs. */
struct compared_sum {
    uint64_t samples, offs, with_stack, requests;
    time_ns recorded; /* sum of the runs' lengths */
    double queue;     /* part of the time in which its threads could have run that they did not */
    time_ns could_run, queued;
};

struct stack_comparison {
    enum change_unit unit;
    uint32_t blocks; /* of a run */
    struct side_blocks added[2];
    struct compared_sum sums[2];
    struct change_side sides[2]; /* from here on: after stack_comparison_make */
    struct tree_changes changes;
    struct laid_tree laid;
    struct unit_change whole; /* of a request's latency, or of all own time, a unit */
    struct path_changes paths;
    double *own[2];   /* by node of a side: ns a unit */
    uint32_t place;   /* node of `laid`, or CONTEXT_NONE: nothing is told apart */
    uint32_t largest; /* the same of all differences, sure or not; CONTEXT_NONE: there is none */
};

/* `chosen`: as of side_blocks.h. False: as there. */
bool stack_comparison_add(struct stack_comparison *comparison, int side, const struct side_run *run,
                          const bool *chosen);
/* Both sides have a run. */
void stack_comparison_make(struct stack_comparison *comparison);
void stack_comparison_release(struct stack_comparison *comparison);

/* The unit that fits a run: requests, if it has as many as blocks; else the run, if all of its threads ended while they
 * were recorded; else the second. */
enum change_unit stack_comparison_unit(const struct side_run *run);
/* Who stands for a node of `laid` (work_wait.h): its next caller with a name that is not the kernel's. */
uint32_t stack_comparison_told_as(const struct stack_comparison *comparison, uint32_t node);
/* Most of a change is in what threads waited for work, or for each other. */
bool stack_comparison_for_work(const struct stack_comparison *comparison,
                               const struct node_change *change);
bool stack_comparison_for_others(const struct stack_comparison *comparison,
                                 const struct node_change *change);

#endif
