#include "sampler/chain_rate.h"

#include "sampler/scheduler_events.h"

/* Of soft interrupts, and of hard ones (chosen): they take 0.3 % of a processor. */
#define CHAINS_A_SECOND 1000

/* Odd, so that pairs which take turns all come to it. */
static uint64_t one_in(uint64_t wakings, uint64_t elapsed_ns)
{
    double times = (double)wakings * 1e9 / (double)elapsed_ns / CHAINS_A_SECOND;
    return times > 1 ? (uint64_t)times | 1 : 1;
}

void chain_rate_follow(struct chain_rate *rate, struct chain_fds chains,
                       const struct filter_processor *processor, uint64_t elapsed_ns)
{
    uint64_t soft = one_in(processor->soft - rate->soft.seen, elapsed_ns);
    uint64_t hard = one_in(processor->hard - rate->hard.seen, elapsed_ns);
    if (soft != rate->soft.every)
        scheduler_events_chain(chains.soft, soft);
    if (hard != rate->hard.every)
        scheduler_events_chain(chains.hard, hard);
    rate->soft.seen = processor->soft;
    rate->soft.every = soft;
    rate->hard.seen = processor->hard;
    rate->hard.every = hard;
}
