/* request_blocks.h - the requests of a run in blocks of about as many each, in the order in which they ended.
 *
 *     struct request_blocks blocks = {0};
 *     if (request_blocks_fill(&blocks, run, NULL, 20)) ...
 *     blocks.of[interval]        0 .. 19, or REQUEST_BLOCK_NONE: it is none of them
 *     blocks.requests[3]         fourteen of them are in block 3
 *     blocks.latency[3]          they took 41 ms together
 *     request_blocks_release(&blocks);
 *
 * Requests that are not complete are in no block. No state; borrows the run while it works.
 */
#ifndef STACKS_REQUEST_BLOCKS_H
#define STACKS_REQUEST_BLOCKS_H

#include <stdbool.h>

#include "trace/timeline.h"

#define REQUEST_BLOCK_NONE UINT32_MAX

struct request_blocks {
    uint32_t *of; /* by interval */
    uint32_t count;
    double *requests, *latency; /* by block; ns */
};

/* `chosen`, by interval: no others are taken; NULL: all are. False: there are fewer than blocks. */
bool request_blocks_fill(struct request_blocks *blocks, const struct timelines *run,
                         const bool *chosen, uint32_t count);
void request_blocks_release(struct request_blocks *blocks);

#endif
