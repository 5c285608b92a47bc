#include "runtime/saved_calls.h"

#include "runtime/pages.h"

enum { GROUP_CALLS = 6, GROUPS_MAX = 1 << 16 };

struct group {
    uint32_t next;
    uint16_t first, end; /* of its calls, those that are there */
    struct open_call calls[GROUP_CALLS];
};

static struct group *pool;
static uint32_t used;  /* of the pool, the rest was never in use */
static uint64_t spare; /* the first one given back, and above it how often that changed */

static uint32_t first_of(saved_calls calls)
{
    return (uint32_t)calls;
}

static uint32_t last_of(saved_calls calls)
{
    return (uint32_t)(calls >> 32);
}

static saved_calls calls_from_to(uint32_t first, uint32_t last)
{
    return (uint64_t)last << 32 | first;
}

/* The count above the number lets nobody take a group for the one that it was when he looked. */
static void give_back(uint32_t number)
{
    uint64_t before = __atomic_load_n(&spare, __ATOMIC_RELAXED), after;
    do {
        __atomic_store_n(&pool[number].next, (uint32_t)before, __ATOMIC_RELAXED);
        after = ((before >> 32) + 1) << 32 | number;
    } while (!__atomic_compare_exchange_n(&spare, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
}

static uint32_t take_used(void)
{
    uint64_t before = __atomic_load_n(&spare, __ATOMIC_ACQUIRE), after;
    do {
        if (!(uint32_t)before)
            return 0;
        uint32_t next = __atomic_load_n(&pool[(uint32_t)before].next, __ATOMIC_RELAXED);
        after = ((before >> 32) + 1) << 32 | next;
    } while (!__atomic_compare_exchange_n(&spare, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return (uint32_t)before;
}

/* The group is empty; 0: there is no room. */
static uint32_t take_group(void)
{
    if (!pages_take_once(&pool, GROUPS_MAX * sizeof *pool))
        return 0;
    uint32_t number = take_used();
    if (!number && __atomic_load_n(&used, __ATOMIC_RELAXED) < GROUPS_MAX - 1)
        number = __atomic_add_fetch(&used, 1, __ATOMIC_RELAXED);
    if (!number || number >= GROUPS_MAX)
        return 0;
    pool[number].next = 0;
    pool[number].first = pool[number].end = 0;
    return number;
}

void saved_calls_add(saved_calls *calls, const struct open_call *call)
{
    uint32_t last = last_of(*calls);
    if (!last || pool[last].end == GROUP_CALLS) {
        uint32_t number = take_group();
        if (!number)
            return;
        if (last)
            pool[last].next = number;
        *calls = calls_from_to(last ? first_of(*calls) : number, number);
        last = number;
    }
    pool[last].calls[pool[last].end++] = *call;
}

bool saved_calls_first(saved_calls *calls, struct open_call *call)
{
    uint32_t number = first_of(*calls);
    if (!number)
        return false;
    struct group *group = &pool[number];
    *call = group->calls[group->first++];
    if (group->first == group->end) {
        *calls = group->next ? calls_from_to(group->next, last_of(*calls)) : 0;
        give_back(number);
    }
    return true;
}

void saved_calls_forget(saved_calls calls)
{
    struct open_call call;
    while (saved_calls_first(&calls, &call))
        ;
}

void saved_calls_put(saved_calls *slot, saved_calls calls)
{
    saved_calls_forget(__atomic_exchange_n(slot, calls, __ATOMIC_ACQ_REL));
}

saved_calls saved_calls_take(saved_calls *slot)
{
    return __atomic_load_n(slot, __ATOMIC_RELAXED) ? __atomic_exchange_n(slot, 0, __ATOMIC_ACQ_REL)
                                                   : 0;
}
