#include "sampler/cause_memory.h"

/* So many chains in a row must agree (chosen): of causes that take turns by chance one waking in
 * eight is taken for the wrong one at the most. */
enum { AGREE = 4 };
/* Pairs of threads that have ended are forgotten with all the others. */
enum { MOST_PAIRS = 1 << 17 };

#define ANYBODY UINT32_MAX

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

static void teach(struct cause_memory *memory, uint64_t key, struct kernel_cause cause)
{
    uint64_t *known = hash_map_put(&memory->pairs, key);
    uint64_t agree = (*known & 0xffff) == packed(cause) ? *known >> 16 : 0;
    *known = (agree < AGREE ? agree + 1 : agree) << 16 | packed(cause);
}

void cause_memory_teach(struct cause_memory *memory, enum trace_context interrupt, uint32_t current,
                        uint32_t woken, struct kernel_cause cause)
{
    if (memory->pairs.count >= MOST_PAIRS)
        hash_map_release(&memory->pairs);
    teach(memory, key_of(interrupt, current, woken), cause);
    teach(memory, key_of(interrupt, ANYBODY, woken), cause);
}

static bool find(const struct cause_memory *memory, uint64_t key, struct kernel_cause *cause)
{
    const uint64_t *known = hash_map_get(&memory->pairs, key);
    if (!known || *known >> 16 < AGREE)
        return false;
    *cause = (struct kernel_cause){(enum trace_context)(*known >> 8 & 0xff),
                                   (enum trace_interrupt)(*known & 0xff)};
    return true;
}

/* A device or a timer comes in the way of whoever has the processor. */
struct kernel_cause cause_memory_get(const struct cause_memory *memory,
                                     enum trace_context interrupt, uint32_t current, uint32_t woken)
{
    struct kernel_cause cause;
    if (find(memory, key_of(interrupt, current, woken), &cause) ||
        (find(memory, key_of(interrupt, ANYBODY, woken), &cause) &&
         cause.context != TRACE_CONTEXT_THREAD))
        return cause;
    return (struct kernel_cause){interrupt, TRACE_INTERRUPT_UNKNOWN};
}

void cause_memory_release(struct cause_memory *memory)
{
    hash_map_release(&memory->pairs);
}
