/* chain_rate.h: about as many chains, however many wakings. */
#include "check.h"

#include "sampler/chain_rate.h"

int main(void)
{
    const struct chain_fds none = {-1, -1}; /* who is told the rates is no event here */
    struct chain_rate rate = {{0, 0}, {0, 0}};
    struct filter_processor processor = {.soft = 800, .hard = 90};
    chain_rate_follow(&rate, none, &processor, 1000000000);
    CHECK(rate.soft.every == 1 && rate.hard.every == 1);
    processor.soft += 1400; /* within 100 ms */
    chain_rate_follow(&rate, none, &processor, 100000000);
    CHECK(rate.soft.every == 15 && rate.hard.every == 1);
    processor.hard += 2000;
    chain_rate_follow(&rate, none, &processor, 20000000);
    CHECK(rate.soft.every == 1 && rate.hard.every == 101);
    return CHECK_DONE();
}
