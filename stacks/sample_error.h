/* sample_error.h - how far the time of a context may be off that a clock's samples of a thread tell.
 *
 *     struct sample_errors errors;
 *     sample_errors_init(&errors, &tree);
 *     sample_errors_add(&errors, node, amount_ns) ...      the samples of one thread, in order of time
 *     sample_errors_close(&errors);
 *     for (i = 0; i < errors.count; i++) errors.nodes[errors.touched[i]] ...      those that have samples
 *     sample_errors_clear(&errors);                         for the next thread
 *
 * The error of a sampled time comes from where samples one behind the other differ: somewhere in the
 * gap between them a call began or ended. If it was seen more than once, and before or behind it was
 * not for more than once, that is anywhere in the gap, alike, with a variance of gap^2 / 12. Else it was
 * met by chance, as it is short or comes back at once, and counts gap^2 / 2: with two boundaries to each
 * such sample that is the error of a binomial count, as successive differences of a systematic sample
 * have it (Wolter, JASA 79, 1984, v2). Where calls are about as long as the period this is too much:
 * Cochran's estimate for neighbours that are alike (1946; v8 of Wolter), by the least likely of their
 * correlations, is taken where it is less. tests/stacks/simulate.c has how often intervals of 1.96
 * errors hold the truth.
 */
#ifndef STACKS_SAMPLE_ERROR_H
#define STACKS_SAMPLE_ERROR_H

#include "stacks/context_tree.h"

struct sampled_node {
    uint64_t samples;    /* in it or below it */
    uint64_t boundaries; /* between a sample that has it and one that has it not */
    double variance;     /* of what they stand for, in ns^2: by the boundaries alone */
    /* The latest samples, one behind the other, that have it: */
    size_t before;       /* so many behind each other had it not, before the first; 0: none */
    size_t began, ended; /* the first, and the one behind the last */
    uint64_t gap_began, gap_ended; /* ns, in which the boundaries are */
    bool seen, open;
};

struct sample_errors {
    const struct context_tree *tree;
    struct sampled_node *nodes; /* by node */
    uint32_t *touched;          /* nodes that have samples */
    size_t count, capacity;
    uint32_t latest; /* the node of the sample before */
    size_t samples;
    double squares; /* of what they stand for */
};

/* Borrows the tree, which must not grow meanwhile. */
void sample_errors_init(struct sample_errors *errors, const struct context_tree *tree);
/* The sample is in the node and in all above it. */
void sample_errors_add(struct sample_errors *errors, uint32_t node, uint64_t amount_ns);
/* The same of a node alone: none is within another one, as own times are not. */
void sample_errors_add_own(struct sample_errors *errors, uint32_t node, uint64_t amount_ns);
/* Nothing is known of what comes behind the last sample. */
void sample_errors_close(struct sample_errors *errors);
void sample_errors_clear(struct sample_errors *errors);
void sample_errors_release(struct sample_errors *errors);

/* The variance of a count of samples where neighbours are alike, in ns^2; INFINITY: all or none have it. `square`: what
 * the squares of what samples stand for are in the mean. */
double sample_errors_alike(uint64_t samples, uint64_t boundaries, uint64_t all, double square);
/* Of a node, by either estimate. */
double sample_errors_variance(const struct sample_errors *errors, uint32_t node);

#endif
