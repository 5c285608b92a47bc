#include "base/hash_map.h"

#include <string.h>

#include "base/memory.h"

uint64_t hash_mix(uint64_t key)
{
    key += 0x9e3779b97f4a7c15u;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return key ^ (key >> 31);
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* The entry of `key`, or the free one where it belongs. */
static struct hash_map_entry *hash_map_seek(const struct hash_map *map, uint64_t key)
{
    size_t mask = map->capacity - 1;
    size_t i = hash_mix(key) & mask;
    while (map->entries[i].used && map->entries[i].key != key)
        i = (i + 1) & mask;
    return &map->entries[i];
}

static void hash_map_grow(struct hash_map *map)
{
    struct hash_map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->entries = memory_zeroed(map->capacity * sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].used)
            *hash_map_seek(map, old.entries[i].key) = old.entries[i];
    memory_free(old.entries);
}

uint64_t *hash_map_put(struct hash_map *map, uint64_t key)
{
    if (map->count * 4 >= map->capacity * 3)
        hash_map_grow(map);
    struct hash_map_entry *entry = hash_map_seek(map, key);
    if (!entry->used) {
        *entry = (struct hash_map_entry){.key = key, .used = 1};
        map->count++;
    }
    return &entry->value;
}

uint64_t *hash_map_get(const struct hash_map *map, uint64_t key)
{
    if (!map->capacity)
        return NULL;
    struct hash_map_entry *entry = hash_map_seek(map, key);
    return entry->used ? &entry->value : NULL;
}

void hash_map_release(struct hash_map *map)
{
    memory_free(map->entries);
    *map = (struct hash_map){0};
}

static uint32_t *intern_seek(const struct intern *intern, const char *text)
{
    size_t mask = intern->slot_count - 1;
    size_t i = hash_mix(hash_bytes(text, strlen(text))) & mask;
    while (intern->slots[i] && strcmp(intern->text[intern->slots[i] - 1], text) != 0)
        i = (i + 1) & mask;
    return &intern->slots[i];
}

static void intern_grow(struct intern *intern)
{
    intern->slot_count = intern->slot_count ? intern->slot_count * 2 : 64;
    memory_free(intern->slots);
    intern->slots = memory_zeroed(intern->slot_count * sizeof *intern->slots);
    for (size_t id = 0; id < intern->count; id++)
        *intern_seek(intern, intern->text[id]) = (uint32_t)id + 1;
}

uint32_t intern_add(struct intern *intern, const char *text)
{
    if (intern->count * 4 >= intern->slot_count * 3)
        intern_grow(intern);
    uint32_t *slot = intern_seek(intern, text);
    if (!*slot) {
        VEC_PUSH(intern->text, intern->count, intern->capacity) = memory_strdup(text);
        *slot = (uint32_t)intern->count;
    }
    return *slot - 1;
}

uint32_t intern_find(const struct intern *intern, const char *text)
{
    if (!intern->slot_count)
        return INTERN_NONE;
    uint32_t slot = *intern_seek(intern, text);
    return slot ? slot - 1 : INTERN_NONE;
}

void intern_release(struct intern *intern)
{
    for (size_t id = 0; id < intern->count; id++)
        memory_free(intern->text[id]);
    memory_free(intern->text);
    memory_free(intern->slots);
    *intern = (struct intern){0};
}
