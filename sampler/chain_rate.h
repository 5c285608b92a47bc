/* chain_rate.h - how many of a processor's wakings in interrupts come with their call chain.
 *
 *     800 a second     each of them
 *     14,000           one in 15: about as many chains as before
 *
 * A chain costs several times what its waking does, and of fast ones some are enough
 * (cause_memory.h).
 */
#ifndef SAMPLER_CHAIN_RATE_H
#define SAMPLER_CHAIN_RATE_H

#include <stdint.h>

#include "sampler/perf_rings.h"
#include "sampler/run_filter.h"

/* Of one kind of interrupt. */
struct chain_part {
    uint64_t seen, every; /* wakings; one in so many comes with its chain */
};

struct chain_rate {
    struct chain_part soft, hard;
};

/* Follows what the processor had in the last `elapsed_ns`, not 0. Its place's `chains` are told. */
void chain_rate_follow(struct chain_rate *rate, struct chain_fds chains,
                       const struct filter_processor *processor, uint64_t elapsed_ns);

#endif
