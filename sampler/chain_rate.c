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

static void follow(struct chain_part *part, int fd, uint64_t seen, uint64_t elapsed_ns)
{
    uint64_t every = one_in(seen - part->seen, elapsed_ns);
    if (every != part->every)
        scheduler_events_chain(fd, every);
    *part = (struct chain_part){seen, every};
}

void chain_rate_follow(struct chain_rate *rate, struct chain_fds chains,
                       const struct filter_processor *processor, uint64_t elapsed_ns)
{
    follow(&rate->soft, chains.soft, processor->soft, elapsed_ns);
    follow(&rate->hard, chains.hard, processor->hard, elapsed_ns);
}
