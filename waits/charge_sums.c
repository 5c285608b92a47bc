#include "waits/charge_sums.h"

#include "base/memory.h"

/* Of so many groups a table of all pairs takes 4 MB. */
enum { MOST_IN_TABLE = 1000 };

void charge_sums_init(struct charge_sums *sums, const time_ns *borders, uint32_t groups)
{
    *sums = (struct charge_sums){.borders = borders, .groups = groups};
    if (groups <= MOST_IN_TABLE)
        sums->table = memory_zeroed((size_t)(groups + 1) * (groups + 1) * sizeof *sums->table);
}

void charge_sums_release(struct charge_sums *sums)
{
    memory_free(sums->items);
    memory_free(sums->table);
    hash_map_release(&sums->item_of);
    *sums = (struct charge_sums){0};
}

static uint64_t new_item(struct charge_sums *sums, uint32_t who, uint32_t had)
{
    VEC_PUSH(sums->items, sums->count, sums->capacity) =
        (struct charge_sum){.who = who, .had = had};
    return sums->count;
}

static struct charge_sum *item_of(struct charge_sums *sums, uint32_t who, uint32_t had)
{
    uint64_t key = (uint64_t)who * (sums->groups + UINT64_C(1)) + (uint32_t)(had + 1);
    if (sums->table) {
        if (!sums->table[key])
            sums->table[key] = (uint32_t)new_item(sums, who, had);
        return &sums->items[sums->table[key] - 1];
    }
    uint64_t *known = hash_map_put(&sums->item_of, key);
    if (!*known)
        *known = new_item(sums, who, had);
    return &sums->items[*known - 1];
}

/* Moments come by thread or by processor, one after another: the next one is near. */
static uint32_t window_of(struct charge_sums *sums, time_ns time)
{
    uint32_t window = sums->window;
    while (window > 0 && time < sums->borders[window])
        window--;
    while (window + 1 < CASCADE_WINDOWS && time >= sums->borders[window + 1])
        window++;
    return sums->window = window;
}

void charge_sums_add(struct charge_sums *sums, uint32_t who, uint32_t had, time_ns from,
                     time_ns until, uint32_t threads)
{
    if (until <= from)
        return;
    struct charge_sum *sum = item_of(sums, who, had);
    uint32_t window = window_of(sums, from);
    for (; window + 1 < CASCADE_WINDOWS && sums->borders[window + 1] < until; window++) {
        sum->time[window] += (sums->borders[window + 1] - from) * (time_ns)threads;
        from = sums->borders[window + 1];
    }
    sum->time[window] += (until - from) * (time_ns)threads;
}
