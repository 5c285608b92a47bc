/* hash_map.h - a map from 64-bit numbers, and one from strings, to 64-bit numbers.
 *
 *     struct hash_map map = {0};
 *     *hash_map_put(&map, key) += 1;                 a new key's value is 0
 *     uint64_t *value = hash_map_get(&map, key);     NULL: not there
 *
 *     struct intern names = {0};
 *     uint32_t id = intern_add(&names, "fsync");     0, 1, 2, ... in order of first sight
 *     names.text[id]
 *
 * Zeroed structs are empty. A pointer out of hash_map_put/get is valid until the next put. Keys are
 * never removed. Interned texts are copied and live until intern_release.
 */
#ifndef BASE_HASH_MAP_H
#define BASE_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_map_entry {
    uint64_t key;
    uint64_t value;
    uint64_t used;
};

struct hash_map {
    struct hash_map_entry *entries; /* capacity is a power of two; at most 3/4 are used */
    size_t count;
    size_t capacity;
};

uint64_t *hash_map_put(struct hash_map *map, uint64_t key);
uint64_t *hash_map_get(const struct hash_map *map, uint64_t key);
void hash_map_release(struct hash_map *map);

/* The function spreads every bit of `key` over the result (splitmix64's finalizer). */
uint64_t hash_mix(uint64_t key);
uint64_t hash_bytes(const void *bytes, size_t length);

#define INTERN_NONE UINT32_MAX

struct intern {
    char **text; /* by id */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* id + 1, or 0; open addressing */
    size_t slot_count;
};

uint32_t intern_add(struct intern *intern, const char *text);
uint32_t intern_find(const struct intern *intern, const char *text); /* or INTERN_NONE */
void intern_release(struct intern *intern);

#endif
