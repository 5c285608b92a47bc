/* sim_laws.h - the laws of a variance tree, checked against times that are known from elsewhere.
 *
 * `rows` is the text of run_builder_rows: each interval's ns by path. From it alone every moment of
 * the tree is summed up anew, in integers:
 *   1. each interval's times sum to its latency            (the rows agree, and so do the sums)
 *   2. Var(node) = sum Var(child) + 2 sum Cov(children)    each term by itself, and together
 *   3. the shares of all leaves sum to 1
 *   4. parts merge to the whole: the moments of several runs add up to those of the runs as one
 */
#ifndef TESTS_SIM_LAWS_H
#define TESTS_SIM_LAWS_H

#include "trace/timeline.h"
#include "variance/variance.h"

/* Laws 1 to 3; says what does not hold. A run without a complete interval has no tree. */
bool sim_laws_hold(const struct timelines *run, const struct function_table *functions,
                   const char *rows);

/* Sums by path, of nodes and of pairs of siblings. */
struct sim_sums {
    struct sim_sum *items;
    size_t count, capacity;
    uint64_t intervals;
};

/* Adds what the analysis makes of the run to the sums. */
void sim_sums_add(struct sim_sums *sums, const struct timelines *run,
                  const struct function_table *functions);
bool sim_sums_equal(const struct sim_sums *a, const struct sim_sums *b);
void sim_sums_release(struct sim_sums *sums);

#endif
