/* stack_moment.h - the moments at which the stack of one thread is known, whoever saw it.
 *
 *     10 ms            main, serve, parse             a clock's sample, which stands for 1 ms
 *     11 ms .. 18 ms   main, serve, commit, fsync     off its processor: it can't have changed
 *     20 ms            main, serve                    a system call: it stands for no time
 *
 *     struct stack_moments moments = {0};
 *     stack_moments_take(&moments, &seen.tasks[7], &side->tasks[7]);
 *     stack_moments_release(&moments);
 *
 * In order of time; none begins before the one before it ends. Two moments have in common the calls
 * of the same functions from the outermost on, up to the first that differs: below it, all calls are
 * others (IntroPerf, SIGMETRICS'14, section 3.3). Where it is known of both from which address a
 * function called the next one, and the addresses differ, that next call is another one, too,
 * although it may be of the same function.
 */
#ifndef STACKS_STACK_MOMENT_H
#define STACKS_STACK_MOMENT_H

#include "stacks/context_tree.h"
#include "stacks/sighting.h"

struct stack_moment {
    time_ns time, until; /* equal but of a thread off its processor */
    uint32_t node;       /* of the tree of contexts */
    uint64_t amount_ns;  /* that a clock's sample stands for; 0: it is no clock's */
    const uint64_t
        *calls; /* by depth - 1, the outermost first: the address that the function called
                              the next one from, or 0: not known; NULL: none is */
};

struct stack_moments {
    struct stack_moment *items;
    size_t count, capacity;
    uint64_t unknown, cut; /* left out: without a stack, without its outermost calls */
};

/* Adds those of a task that have a whole stack. */
void stack_moments_take(struct stack_moments *moments, const struct task_sightings *seen,
                        const struct kernel_task *task);
void stack_moments_release(struct stack_moments *moments);
/* Those of each thread of the run; released all together. */
struct stack_moments *stack_moments_of_run(const struct timelines *run,
                                           const struct sightings *seen);
void stack_moments_release_all(struct stack_moments *moments, const struct timelines *run);

/* The innermost node of the calls that two moments have in common; the root: none. */
uint32_t stack_moments_common(const struct context_tree *tree, const struct stack_moment *a,
                              const struct stack_moment *b);
/* The innermost node above both, or one of them. */
uint32_t context_common(const struct context_tree *tree, uint32_t a, uint32_t b);

#endif
