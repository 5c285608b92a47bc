#include "sampler/cause_memory.h"

/* So many chains in a row must agree (chosen): of causes that take turns by chance one waking in
 * eight is taken for the wrong one at the most. */
enum { AGREE = 4 };
/* Pairs of threads that have ended are forgotten with all the others. */
enum { MOST_PAIRS = 1 << 17 };

/* A pair's value: how many agree, the context and the interrupt; one byte each. */
static uint64_t packed(struct kernel_cause cause)
{
    return (uint64_t)cause.context << 8 | (uint64_t)cause.interrupt;
}

static uint64_t key_of(enum trace_context interrupt, uint32_t current, uint32_t woken)
{
    uint64_t hard = interrupt == TRACE_CONTEXT_HARD;
    return (uint64_t)current << 32 | (uint64_t)woken << 1 | hard;
}

void cause_memory_teach(struct cause_memory *memory, enum trace_context interrupt, uint32_t current,
                        uint32_t woken, struct kernel_cause cause)
{
    if (memory->pairs.count >= MOST_PAIRS)
        hash_map_release(&memory->pairs);
    uint64_t *known = hash_map_put(&memory->pairs, key_of(interrupt, current, woken));
    uint64_t agree = (*known & 0xffff) == packed(cause) ? *known >> 16 : 0;
    *known = (agree < AGREE ? agree + 1 : agree) << 16 | packed(cause);
}

struct kernel_cause cause_memory_get(const struct cause_memory *memory,
                                     enum trace_context interrupt, uint32_t current, uint32_t woken)
{
    const uint64_t *known = hash_map_get(&memory->pairs, key_of(interrupt, current, woken));
    if (!known || *known >> 16 < AGREE)
        return (struct kernel_cause){interrupt, TRACE_INTERRUPT_UNKNOWN};
    return (struct kernel_cause){(enum trace_context)(*known >> 8 & 0xff),
                                 (enum trace_interrupt)(*known & 0xff)};
}

void cause_memory_release(struct cause_memory *memory)
{
    hash_map_release(&memory->pairs);
}
