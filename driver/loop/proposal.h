/* proposal.h - what the next round could open, from what this one measured.
 *
 *     struct proposal *proposals = proposals_make(&loop, &result, k, d, &count);
 *     ... refine_loop_open(&loop, &proposals[i]) ...
 *     proposals_release(proposals, count);
 */
#ifndef DRIVER_LOOP_PROPOSAL_H
#define DRIVER_LOOP_PROPOSAL_H

#include "driver/loop/refine_loop.h"
#include "variance/variance.h"

/* Makes at most k proposals, by rank, each for a factor whose contribution is above d. The caller
 * frees them with proposals_release. The loop also takes in the calls through pointers that were
 * seen. */
struct proposal *proposals_make(struct refine_loop *loop, const struct variance_result *result,
                                uint32_t k, double d, uint32_t *count);
void proposals_release(struct proposal *proposals, uint32_t count);

#endif
