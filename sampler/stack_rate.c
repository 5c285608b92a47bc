#include "sampler/stack_rate.h"

#include "base/hash_map.h"

#define MOST_EVERY (1 << 14)

static double part_of(const struct stack_rate *rate)
{
    return 1 / (double)rate->every;
}

void stack_rates_note(struct stack_rates *rates, bool is_long)
{
    double all = part_of(&rates->all), slow = is_long ? part_of(&rates->slow) : 0;
    rates->all.seen += all / (all + slow);
    rates->slow.seen += slow / (all + slow);
}

uint32_t stack_rates_one_in(const struct stack_rates *rates, bool is_long)
{
    double missed = 1 - part_of(&rates->all);
    if (is_long)
        missed *= 1 - part_of(&rates->slow);
    return (uint32_t)(1 / (1 - missed) + 0.5);
}

double stack_rates_drawn(uint64_t *random, double mean)
{
    double draw = (double)(hash_mix((*random)++) >> 11) / (double)(UINT64_C(1) << 53);
    return mean * (0.5 + draw);
}

static void follow(struct stack_rate *rate, double wanted, uint64_t elapsed_ns, uint64_t *random)
{
    double came = rate->seen / (double)elapsed_ns * 1e9,
           every = (double)rate->every * came / wanted;
    rate->seen = 0;
    if (every < 2)
        rate->every = every > 1 ? 2 : 1;
    else
        rate->every = (uint64_t)stack_rates_drawn(random, every < MOST_EVERY ? every : MOST_EVERY);
}

void stack_rates_follow(struct stack_rates *rates, const struct stack_wanted *wanted,
                        uint64_t elapsed_ns, uint64_t *random)
{
    if (!elapsed_ns)
        return;
    follow(&rates->all, wanted->all, elapsed_ns, random);
    follow(&rates->slow, wanted->slow, elapsed_ns, random);
}

void stack_rates_other_slow(struct stack_rates *rates, const struct stack_wanted *wanted)
{
    double waits = (double)rates->all.every * wanted->all, every = waits / wanted->slow;
    rates->slow = (struct stack_rate){.every = every > 1 ? (uint64_t)every : 1};
}
