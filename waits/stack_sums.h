/* stack_sums.h - how much time stacks stand for, by what they are of and the names of their functions.
 *
 *     stack_sums_add(&sums, key, frames, count, time_ns, variance)     as often as one was recorded
 *     sums.items[i]   key 7: futex_wait, take_order, serve   12 ms +- 3
 */
#ifndef WAITS_STACK_SUMS_H
#define WAITS_STACK_SUMS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "symbol/sampled_name.h"

struct stack_sum {
    uint32_t key;
    uint32_t frame_count;
    const struct sampled_frame *frames; /* the innermost first */
    uint64_t sampled;                   /* that were recorded */
    double time_ns, variance;
};

struct stack_sums {
    struct stack_sum *items;
    size_t count, capacity;
    struct intern paths;
    struct hash_map of; /* path << 32 | key -> 1 + item */
    struct arena arena;
};

/* The names are borrowed. */
void stack_sums_add(struct stack_sums *sums, uint32_t key, const struct sampled_frame *frames,
                    uint32_t count, double time, double variance);
/* By key, the longest first. No more is added then. */
void stack_sums_close(struct stack_sums *sums);
/* Gives the first of a key, or NULL, and how many there are, when they were closed. */
const struct stack_sum *stack_sums_of(const struct stack_sums *sums, uint32_t key, size_t *count);
void stack_sums_release(struct stack_sums *sums);

/* The innermost function that is the program's own, or else a library's, or "". */
const char *stack_sum_function(const struct stack_sum *sum);

#endif
