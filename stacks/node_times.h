/* node_times.h - the time of each context, from moments at which threads were seen in it.
 *
 *     struct node_times times;
 *     node_times_init(&times, &tree);
 *     node_times_add(&times, moments, count, &calls);            of one thread after the other
 *     node_times_close(&times);
 *     times.items[node].sampled_ns, .own_sampled_ns
 *     node_times_release(&times);
 *
 * What a clock's samples stand for is added up: it is unbiased whatever the calls are like, as each
 * moment of a thread's running time is as likely to be sampled (Horvitz and Thompson, 1952). The
 * conservative and aggressive times are those of the paper (sighted_call.h), added up over calls: the
 * former loses a clock's period with each call, the latter is right of a clock only. Of moments that
 * are no clock's, such as system calls, neither says how long anything took.
 *
 * A node's own time is its total less those of its children (the paper's algorithm 3, of sums where
 * it takes means). It is not negative: children lie within their parent, and not over each other.
 *
 * The error of a sampled time is that of sample_error.h.
 */
#ifndef STACKS_NODE_TIMES_H
#define STACKS_NODE_TIMES_H

#include "stacks/sighted_call.h"

struct node_time {
    uint64_t calls;   /* that were seen: never all, and not a fair choice of them */
    uint64_t samples; /* of a clock, in it or in what it calls */
    uint64_t sampled_ns, own_sampled_ns;
    time_ns conservative, aggressive, own_conservative, own_aggressive; /* ns */
    uint64_t boundaries; /* between a sample that has it and one that has it not */
    double variance;     /* of sampled_ns, in ns^2 */
};

struct node_times {
    struct node_time *items; /* by node of the tree */
    const struct context_tree *tree;
    double squares; /* of what samples stand for, added up, in ns^2 */
};

/* Borrows the tree, which must not grow meanwhile. */
void node_times_init(struct node_times *times, const struct context_tree *tree);
void node_times_add(struct node_times *times, const struct stack_moment *moments, size_t count,
                    const struct sighted_calls *calls);
/* The own times are worked out; nothing is added any more. */
void node_times_close(struct node_times *times);
void node_times_release(struct node_times *times);

#endif
