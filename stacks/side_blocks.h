/* side_blocks.h - one side of a comparison of contexts: the own time of each in blocks of its runs.
 *
 *     struct side_blocks side = {0};
 *     side_blocks_add(&side, &run, &wish);                     a run after the other
 *     struct change_side a = side_blocks_finish(&side);        stacks/tree_change.h
 *     side_blocks_release(&side);
 *
 * Blocks are equally long, or in each about as many requests ended (request_blocks.h). Of requests
 * counts what threads did while they worked for them, with what they waited for a processor then; else
 * all that they ran, and were off their processors. What a context has in all blocks, and in none of
 * them, is what the run is told to have of it (context_times.h). How it is shared out over blocks is by
 * the samples and recorded stacks that fell into them, times off cut where blocks end. Of what nothing
 * tells that, each block has its part by its length. Borrows the run while it works.
 */
#ifndef STACKS_SIDE_BLOCKS_H
#define STACKS_SIDE_BLOCKS_H

#include "stacks/context_times.h"
#include "stacks/tree_change.h"

enum change_unit { CHANGE_A_REQUEST, CHANGE_A_SECOND, CHANGE_A_RUN };

/* What stacks/stacks.h has of a run; all is borrowed. */
struct side_run {
    const struct timelines *run;
    const struct thread_groups *groups;
    const struct sightings *seen;
    struct context_times *times; /* of them; it may remember what was asked */
    time_ns from, until;
};

struct side_wish {
    enum change_unit unit;
    uint32_t blocks;    /* of the run: CHANGE_BLOCKS, or 1 where there are enough runs */
    const bool *chosen; /* A_REQUEST: by interval, these alone; NULL: all */
};

/* What a node's threads were off their processors for was nobody's fault by itself (work_wait.h). */
struct side_wait {
    uint32_t node;
    double for_work, for_others, own; /* ns, in all of its runs; own: all time of the node */
};

struct side_cell {
    uint32_t node, block;
    double own, variance; /* ns, ns^2 */
};

struct side_blocks {
    struct context_tree tree; /* of all runs */
    struct side_cell *cells;
    size_t cell_count, cell_capacity;
    double *units; /* by block */
    size_t blocks, unit_capacity;
    double *whole; /* by block: the latencies of its requests, or all own time; ns */
    size_t whole_count, whole_capacity;
    struct side_wait *waits; /* by node, after side_blocks_finish; before, by what was added */
    size_t wait_count, wait_capacity;
    uint32_t *run_of_block;
    size_t run_count_of_blocks, run_capacity;
    uint32_t runs;
    /* After side_blocks_finish, [node * blocks + block]: own time, and what the number of samples and of recorded
     * stacks leaves open of it (context_times.h). */
    double *own, *variance;
};

/* False: the run has fewer requests than blocks, or no length, and nothing was added. */
bool side_blocks_add(struct side_blocks *side, const struct side_run *run,
                     const struct side_wish *wish);
/* Lends what the side has. No more is added then. */
struct change_side side_blocks_finish(struct side_blocks *side);
/* The side's nodes, by those of a run that was added; to be freed. */
uint32_t *side_blocks_nodes(struct side_blocks *side, const struct side_run *run);
void side_blocks_release(struct side_blocks *side);

#endif
