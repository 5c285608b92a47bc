/* charge_sums.h - how long each group wanted a processor that each other had, by window of the run.
 *
 *     windows      |     0     |     1     | ...
 *     two threads of 7 want what 8 has  |---------|       7 -> 8: twice this in window 0, twice that in 1
 */
#ifndef WAITS_CHARGE_SUMS_H
#define WAITS_CHARGE_SUMS_H

#include "waits/cascade.h"

struct charge_sum {
    uint32_t who, had; /* groups; had is NO_GROUP: records of it are missing */
    time_ns time[CASCADE_WINDOWS];
};

#define NO_GROUP UINT32_MAX

struct charge_sums {
    const time_ns *borders; /* of the windows; borrowed */
    struct charge_sum *items;
    size_t count, capacity;
    uint32_t groups;
    uint32_t *table; /* who * (groups + 1) + had + 1 -> 1 + item; NULL: there are too many */
    struct hash_map item_of; /* the same */
    uint32_t window;         /* that was asked for last */
};

void charge_sums_init(struct charge_sums *sums, const time_ns *borders, uint32_t groups);
void charge_sums_release(struct charge_sums *sums);
/* So many threads of `who`. What lies before the first border, or behind the last, is of the first or the
 * last window. */
void charge_sums_add(struct charge_sums *sums, uint32_t who, uint32_t had, time_ns from,
                     time_ns until, uint32_t threads);

#endif
