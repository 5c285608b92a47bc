#include "sampler/return_memory.h"

#include <string.h>

#include "base/memory.h"

/* Of threads that are long gone; then all is forgotten (chosen). */
enum { MOST_SLOTS = 1 << 16 };

/* A slot is a multiple of 8 of 47 bits, a thread's number has 22: two bits of the slot are lost, in which stacks of one
 * thread do not differ. */
static uint64_t key_of(uint32_t tid, uint64_t slot)
{
    return slot >> 3 << 22 ^ tid;
}

static void forget(struct return_memory *memory)
{
    hash_map_release(&memory->of);
    memory->count = 0;
}

static void drop_oldest(struct return_slot *slot)
{
    slot->count--;
    memmove(slot->times_ns, slot->times_ns + 1, slot->count * sizeof *slot->times_ns);
    memmove(slot->addresses, slot->addresses + 1, slot->count * sizeof *slot->addresses);
}

static void insert(struct return_slot *slot, uint32_t at, uint64_t time_ns, uint64_t address)
{
    size_t behind = slot->count - at;
    memmove(slot->times_ns + at + 1, slot->times_ns + at, behind * sizeof *slot->times_ns);
    memmove(slot->addresses + at + 1, slot->addresses + at, behind * sizeof *slot->addresses);
    slot->times_ns[at] = time_ns;
    slot->addresses[at] = address;
    slot->count++;
}

/* Only what changes is kept. */
static void note(struct return_slot *slot, uint64_t time_ns, uint64_t address)
{
    uint32_t at = slot->count;
    while (at && slot->times_ns[at - 1] > time_ns)
        at--;
    if (at && slot->addresses[at - 1] == address)
        return;
    if (at < slot->count && slot->addresses[at] == address) {
        slot->times_ns[at] = time_ns;
        return;
    }
    if (slot->count == RETURN_CHANGES) {
        if (!at)
            return;
        drop_oldest(slot);
        at--;
    }
    insert(slot, at, time_ns, address);
}

void return_memory_note(struct return_memory *memory, uint32_t tid, uint64_t slot, uint64_t time_ns,
                        uint64_t address)
{
    if (memory->count == MOST_SLOTS)
        forget(memory);
    uint64_t *known = hash_map_put(&memory->of, key_of(tid, slot));
    if (!*known) {
        VEC_PUSH(memory->slots, memory->count, memory->capacity) = (struct return_slot){.count = 0};
        *known = memory->count;
    }
    note(&memory->slots[*known - 1], time_ns, address);
}

uint64_t return_memory_find(const struct return_memory *memory, uint32_t tid, uint64_t slot,
                            uint64_t time_ns, uint64_t trampoline)
{
    const uint64_t *known = hash_map_get(&memory->of, key_of(tid, slot));
    const struct return_slot *of = known ? &memory->slots[*known - 1] : NULL;
    for (uint32_t i = of ? of->count : 0; i-- > 0;)
        if (of->times_ns[i] <= time_ns && of->addresses[i] != trampoline)
            return of->addresses[i];
    return 0;
}

void return_memory_release(struct return_memory *memory)
{
    hash_map_release(&memory->of);
    memory_free(memory->slots);
    *memory = (struct return_memory){0};
}
