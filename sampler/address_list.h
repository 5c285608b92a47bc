/* address_list.h - addresses in order, to look for names of each.
 *
 *     uint64_t *addresses = address_list_of(&map);        the keys of the map; the caller frees them
 *     for (size_t i = address_list_from(addresses, map.count, begin); ...)
 */
#ifndef SAMPLER_ADDRESS_LIST_H
#define SAMPLER_ADDRESS_LIST_H

#include "base/hash_map.h"

uint64_t *address_list_of(const struct hash_map *map);
/* The first one that is not less, or the count. */
size_t address_list_from(const uint64_t *addresses, size_t count, uint64_t address);

#endif
