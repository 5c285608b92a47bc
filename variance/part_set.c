#include "variance/part_set.h"

#include "base/hash_map.h"
#include "base/memory.h"

enum { LEAST = 64 };

static bool is_item(const struct part_item *item, const struct part_item *other)
{
    return item->call == other->call && item->process == other->process &&
           item->probe == other->probe;
}

/* The result is where the item is, or the free place where it would be. */
static struct part_item *find(const struct part_set *set, const struct part_item *item)
{
    uint64_t hash = hash_mix(hash_mix(item->call) ^ (uint64_t)item->process << 32 ^ item->probe);
    uint32_t place = (uint32_t)hash & (set->capacity - 1);
    while (set->items[place].round == set->round && !is_item(&set->items[place], item))
        place = (place + 1) & (set->capacity - 1);
    return &set->items[place];
}

static void grow(struct part_set *set)
{
    struct part_set before = *set;
    set->capacity = before.capacity ? 2 * before.capacity : LEAST;
    set->round = 1;
    set->items = memory_zeroed(sizeof *set->items * set->capacity);
    for (uint32_t i = 0; i < before.capacity; i++)
        if (before.items[i].round == before.round) {
            struct part_item item = before.items[i];
            item.round = set->round;
            *find(set, &item) = item;
        }
    memory_free(before.items);
}

bool part_set_add(struct part_set *set, uint32_t process, uint32_t probe, uint64_t part)
{
    if (2 * set->count >= set->capacity)
        grow(set);
    const struct part_item item = {part >> 1, set->round, process, probe};
    struct part_item *place = find(set, &item);
    if (place->round == set->round)
        return false;
    *place = item;
    set->count++;
    return true;
}

void part_set_release(struct part_set *set)
{
    memory_free(set->items);
    *set = (struct part_set){0};
}
