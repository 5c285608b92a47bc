/* cause_memory.h - why threads were woken in interrupts, where not every waking's call chain is known.
 *
 *     chains     A wakes B: in line, by TCP    the same    the same    the same
 *     wakings              *   *   *   *   *   *   *   *   *   *   *   *   *
 *                   not known                              in line, by TCP
 *
 * A call chain costs several times what a waking does. Of pairs that follow each other fast it is
 * enough to have it of some: what they agree in holds of the others, until one disagrees. Of a pair
 * that is not known it is what all chains of the woken thread agree in, if that is no thread in line.
 */
#ifndef SAMPLER_CAUSE_MEMORY_H
#define SAMPLER_CAUSE_MEMORY_H

#include <stdint.h>

#include "base/hash_map.h"
#include "sampler/kernel_symbols.h"

struct cause_memory {
    struct hash_map pairs;
};

/* The chain of a waking in an interrupt (SOFT or HARD), which came while `current` had the processor,
 * told the cause. */
void cause_memory_teach(struct cause_memory *memory, enum trace_context interrupt, uint32_t current,
                        uint32_t woken, struct kernel_cause cause);
/* `interrupt` and an unknown one, where chains have told too little or do not agree. */
struct kernel_cause cause_memory_get(const struct cause_memory *memory,
                                     enum trace_context interrupt, uint32_t current,
                                     uint32_t woken);
void cause_memory_release(struct cause_memory *memory);

#endif
