#include "sampler/address_list.h"

#include <stdlib.h>

#include "base/memory.h"

static int by_number(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

uint64_t *address_list_of(const struct hash_map *map)
{
    uint64_t *addresses = memory_alloc((map->count + 1) * sizeof *addresses);
    size_t count = 0;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].used)
            addresses[count++] = map->entries[i].key;
    if (count)
        qsort(addresses, count, sizeof *addresses, by_number);
    return addresses;
}

size_t address_list_from(const uint64_t *addresses, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (addresses[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
