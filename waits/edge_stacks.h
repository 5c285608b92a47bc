/* edge_stacks.h - with which stacks threads waited for others, and with which those let them go on.
 *
 *     worker -> log-writer   47 % of the wait   futex_wait, pthread_cond_wait, commit, serve, ...
 *                            52 % of the waking futex_wake, pthread_cond_broadcast, flush, ...
 *
 * Where one wait of n had its stack recorded, each that had counts n times its length (Horvitz and
 * Thompson, 1952). How long who waited for whom in all is known exactly, and so all weights n of the
 * pair are made longer or shorter alike, that they add up to it (ratio estimate; Cochran, Sampling
 * Techniques, chapter 6): time = sum of n d, with the variance sum of n (n - 1) d^2. Stacks are told
 * apart by the names of their functions.
 */
#ifndef WAITS_EDGE_STACKS_H
#define WAITS_EDGE_STACKS_H

#include "trace/sampled_wait.h"
#include "waits/stack_sums.h"
#include "waits/wait_graph.h"

enum edge_stack_of { STACK_OF_WAIT, STACK_OF_WAKING, STACKS_OF };

/* The key of an edge's stacks. */
static inline uint32_t edge_stack_key(uint32_t edge, enum edge_stack_of of)
{
    return edge * STACKS_OF + of;
}

/* A lock of user space that an edge's threads waited for, by the address that they gave to futex. */
struct edge_lock {
    uint32_t edge, pid;
    uint64_t address;
    const char *name; /* of the variable; NULL: it has none */
    double time_ns, sd_ns;
    uint64_t sampled;
    uint32_t holder; /* the group that held it for most of that time, or NO_GROUP: not known */
    double held_ns;  /* in so much of the time it did */
};

struct edge_stacks {
    struct stack_sums sums;  /* by edge_stack_key */
    struct edge_lock *locks; /* by edge, the longest first */
    size_t lock_count;
    uint64_t unmatched, cut; /* stacks of no recorded wait; without their outermost calls */
    struct arena arena;
};

/* Borrows all of it. Without `names` nothing was recorded. */
void edge_stacks_fill(struct edge_stacks *stacks, struct sampled_names *names,
                      const struct timelines *run, const struct cascade *cascade,
                      const struct wait_graph *graph);
void edge_stacks_release(struct edge_stacks *stacks);

#endif
