#include "runtime/free_ranges.h"

#include <stdbool.h>
#include <string.h>

enum { CLASSES = FREE_RANGES_SIZES, SLOTS = 512 };

static uint64_t ranges[CLASSES][SLOTS]; /* offsets; 0: none */
static uint32_t counts[CLASSES];        /* at least as many are there, or about to be */

/* A size that is none of the classes' has the class CLASSES. */
static unsigned class_of(uint64_t size)
{
    unsigned class = 0;
    while (class < CLASSES && (uint64_t)TRACE_PAGE << class != size)
        class ++;
    return class;
}

static bool change(uint64_t *slot, uint64_t from, uint64_t to)
{
    return __atomic_load_n(slot, __ATOMIC_RELAXED) == from &&
           __atomic_compare_exchange_n(slot, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void free_ranges_put(uint64_t offset, uint64_t size)
{
    unsigned class = class_of(size);
    for (unsigned i = 0; class < CLASSES && i < SLOTS; i++)
        if (change(&ranges[class][i], 0, offset)) {
            __atomic_fetch_add(&counts[class], 1, __ATOMIC_RELEASE);
            return;
        }
}

static uint64_t take_one(unsigned class)
{
    for (unsigned i = 0; __atomic_load_n(&counts[class], __ATOMIC_ACQUIRE) && i < SLOTS; i++) {
        uint64_t offset = __atomic_load_n(&ranges[class][i], __ATOMIC_RELAXED);
        if (offset && change(&ranges[class][i], offset, 0)) {
            __atomic_fetch_sub(&counts[class], 1, __ATOMIC_RELAXED);
            return offset;
        }
    }
    return 0;
}

uint64_t free_ranges_take(uint64_t size)
{
    uint64_t offset = 0;
    for (unsigned class = class_of(size); class < CLASSES && !offset; class ++) {
        uint64_t found = (uint64_t)TRACE_PAGE << class;
        for (offset = take_one(class); offset && found > size;) {
            found /= 2;
            free_ranges_put(offset + found, found);
        }
    }
    return offset;
}

void free_ranges_forked(void)
{
    memset(ranges, 0, sizeof ranges);
    memset(counts, 0, sizeof counts);
}
