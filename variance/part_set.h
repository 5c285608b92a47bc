/* part_set.h - which calls were met, of those that are in several parts (struct span).
 *
 *     part_set_clear(&set);
 *     part_set_add(&set, process, probe, part)       false: another part of this call was met since
 *
 * Clearing costs nothing. Owns its table.
 */
#ifndef VARIANCE_PART_SET_H
#define VARIANCE_PART_SET_H

#include <stdbool.h>
#include <stdint.h>

struct part_item {
    uint64_t call, round;
    uint32_t process, probe;
};

struct part_set {
    struct part_item *items;
    uint32_t capacity, count;
    uint64_t round; /* what is of an earlier one is not there */
};

static inline void part_set_clear(struct part_set *set)
{
    set->round++;
    set->count = 0;
}

bool part_set_add(struct part_set *set, uint32_t process, uint32_t probe, uint64_t part);
void part_set_release(struct part_set *set);

#endif
