/* block_stretches.h - which block of a run a thread's time belongs to.
 *
 *     by time       |--- 0 ---|--- 1 ---| ... |--- 19 ---|       the same for all threads
 *     by requests   ....|- 0 -|..|-- 0 --|.......|- 1 -|..       as the thread worked for them; dots: outside
 *
 *     struct block_stretches stretches = {0};
 *     block_stretches_of_thread(&stretches, run, thread, blocks.of);
 *     block_stretches_share(&stretches, from, to, 8, parts);      parts[block] += 8 * ns in it
 *     block_stretches_release(&stretches);
 *
 * `parts` has one more than there are blocks: what is in none of them. No errors.
 */
#ifndef STACKS_BLOCK_STRETCHES_H
#define STACKS_BLOCK_STRETCHES_H

#include "trace/timeline.h"

struct block_stretch {
    time_ns from, to;
    uint32_t block;
};

struct block_stretches {
    struct block_stretch *items; /* by time; none of them overlap */
    size_t count, capacity;
    uint32_t blocks;
};

/* Each fills anew what a former one filled. The first block by time has all before it, the last one all behind. */
void block_stretches_by_time(struct block_stretches *stretches, time_ns from, time_ns until,
                             uint32_t blocks);
/* `block_of` as of request_blocks.h. */
void block_stretches_of_thread(struct block_stretches *stretches, const struct timelines *run,
                               uint32_t thread, const uint32_t *block_of, uint32_t blocks);
/* The block at a time, or `blocks`. */
uint32_t block_stretches_at(const struct block_stretches *stretches, time_ns time);
void block_stretches_share(const struct block_stretches *stretches, time_ns from, time_ns to,
                           double weight, double *parts);
void block_stretches_release(struct block_stretches *stretches);

#endif
