/* context_growth.h - how the time of each context grows with the size of what runs worked on.
 *
 *     struct context_growth growth = {.unit = CHANGE_A_RUN};
 *     context_growth_add(&growth, 5000, &run, NULL);           three sizes or more; each run may be released then
 *     context_growth_make(&growth);
 *     growth.items[0]         look_up: T ~ size^2.1, and it has 93 % of the time at the largest size
 *     context_growth_release(&growth);
 *
 * Runs are of one program: contexts are the same ones if all functions of their paths are. One run may be added several
 * times, with its requests of one size each. Times are those of a unit, as of side_blocks.h, own and with all below. The
 * fit is growth.h's. The error of a time is what the number of samples leaves open, and GROWTH_LEAST_ERROR of it, as no
 * run is just as the one before.
 */
#ifndef STACKS_CONTEXT_GROWTH_H
#define STACKS_CONTEXT_GROWTH_H

#include "stacks/growth.h"
#include "stacks/side_blocks.h"

/* From one run of a program to the next (chosen). */
#define GROWTH_LEAST_ERROR 0.02

struct node_growth {
    uint32_t node;             /* of the tree */
    struct growth own, below;  /* of its own time; with all below it */
    bool fits, below_fits;     /* it was seen at enough sizes */
    double share, below_share; /* of the time of all at the largest size */
    double rank; /* of the two ranks the better one of its own time; 0: it does not surely grow */
    bool
        waits; /* mostly for others of the run, or for work (work_wait.h): what those did tells more */
};

struct context_growth {
    enum change_unit unit;
    struct side_blocks runs; /* a block each */
    double *sizes;           /* by run */
    size_t size_count, size_capacity;
    double largest;
    double *below; /* [node * runs + run]: own time with all below, ns */
    struct node_growth
        *items; /* those that fit, by rank, behind them those that wait; then by share */
    size_t count, capacity;
    struct node_growth whole; /* of all threads */
};

/* Of its requests those that are chosen, by interval; NULL: all. False: the run has none of the units. */
bool context_growth_add(struct context_growth *growth, double size, const struct side_run *run,
                        const bool *chosen);
/* False: there are fewer than GROWTH_SIZES sizes. */
bool context_growth_make(struct context_growth *growth);
void context_growth_release(struct context_growth *growth);
/* The times of a node by run, ns a unit; `below` with all below it. */
double context_growth_time(const struct context_growth *growth, uint32_t node, size_t run,
                           bool below);

#endif
