/* return_memory.h - where calls return to whose return address the kernel has replaced in the stack.
 *
 *     return_memory_note(&memory, 7, 0x7ffd0a38, 5200, 0x401a2c)       thread 7 was called from there at 5.2 us
 *     return_memory_find(&memory, 7, 0x7ffd0a38, 5900, 0x7fff0000)      0x401a2c
 *
 * The kernel's return probe puts an address of its own, the same for all of a process, where the address lies to
 * which a function returns. Whoever unwinds the stack comes to that one, and asks here what was there. A slot
 * is where in the thread's stack it lies; of each the latest few changes are kept, as what is asked for is a
 * little older than what is known. One thread at a time.
 */
#ifndef SAMPLER_RETURN_MEMORY_H
#define SAMPLER_RETURN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"

enum { RETURN_CHANGES = 8 };

/* By time: from when on which address was there. */
struct return_slot {
    uint64_t times_ns[RETURN_CHANGES], addresses[RETURN_CHANGES];
    uint32_t count;
};

struct return_memory {
    struct hash_map of; /* thread and slot -> index + 1 */
    struct return_slot *slots;
    size_t count, capacity;
};

/* Calls of one slot come nearly in order of time: some processor may tell later of what was before. */
void return_memory_note(struct return_memory *memory, uint32_t tid, uint64_t slot, uint64_t time_ns,
                        uint64_t address);
/* The latest that was there at the time and is not `trampoline`, which is the kernel's own; 0: it is not known. */
uint64_t return_memory_find(const struct return_memory *memory, uint32_t tid, uint64_t slot,
                            uint64_t time_ns, uint64_t trampoline);
void return_memory_release(struct return_memory *memory);

#endif
