#include "sampler/request_memory.h"

#include "base/hash_map.h"

static struct remembered_request *place_of(struct request_memory *memory, uint32_t device,
                                           uint64_t sector)
{
    uint64_t hash = hash_mix(hash_mix(sector) ^ device);
    return &memory->places[hash % REQUEST_MEMORY];
}

static bool is_of(const struct remembered_request *place, uint32_t device, uint64_t sector)
{
    return place->tid && place->device == device && place->sector == sector;
}

void request_memory_note(struct request_memory *memory, uint32_t device, uint64_t sector,
                         uint32_t tid, bool worker)
{
    struct remembered_request *place = place_of(memory, device, sector);
    if (!worker || !is_of(place, device, sector))
        *place = (struct remembered_request){sector, device, tid};
}

uint32_t request_memory_take(struct request_memory *memory, uint32_t device, uint64_t sector,
                             uint32_t otherwise)
{
    struct remembered_request *place = place_of(memory, device, sector);
    if (!is_of(place, device, sector))
        return otherwise;
    uint32_t tid = place->tid;
    place->tid = 0;
    return tid;
}
