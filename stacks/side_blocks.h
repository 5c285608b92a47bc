/* side_blocks.h - one side of a comparison of contexts: the own time of each in blocks of its runs.
 *
 *     struct side_blocks side = {0};
 *     side_blocks_add(&side, &run, CHANGE_A_REQUEST);          a run after the other
 *     struct change_side a = side_blocks_finish(&side);        stacks/tree_change.h
 *     side_blocks_release(&side);
 *
 * A run has CHANGE_BLOCKS blocks: in each about as many requests ended, or they are equally long. What a
 * context has in all blocks is what the run is told to have of it (context_times.h): running time and
 * time off the processor, without what threads waited for a processor. How it is shared out over blocks
 * is by the samples and recorded stacks that fell into them, times off cut where blocks end. Of what no
 * stack is known, each block has its part by its length. Borrows the run while it works.
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

struct side_cell {
    uint32_t node, block;
    double own; /* ns */
};

struct side_blocks {
    struct context_tree tree; /* of all runs */
    struct side_cell *cells;
    size_t cell_count, cell_capacity;
    double *units; /* by block */
    size_t blocks, unit_capacity;
    uint32_t *run_of_block;
    size_t run_count_of_blocks, run_capacity;
    uint32_t runs;
    double *own; /* after side_blocks_finish */
};

/* False: the run has fewer requests than blocks, and nothing was added. */
bool side_blocks_add(struct side_blocks *side, const struct side_run *run, enum change_unit unit);
/* Lends what the side has. No more is added then. */
struct change_side side_blocks_finish(struct side_blocks *side);
/* The side's nodes, by those of a run that was added; to be freed. */
uint32_t *side_blocks_nodes(struct side_blocks *side, const struct side_run *run);
void side_blocks_release(struct side_blocks *side);

#endif
