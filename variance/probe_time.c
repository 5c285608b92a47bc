#include "variance/probe_time.h"

#include <string.h>

#include "base/memory.h"
#include "variance/interval_table.h"

enum { COST_BITS = 16 };

void probe_time_release(struct probe_time *probes)
{
    memory_free(probes->groups);
    memory_free(probes->calls);
    memory_free(probes->families);
    memory_free(probes->leaf_of);
    *probes = (struct probe_time){0};
}

/* Room for `count` items and as many more, which are 0. */
static void *more_room(void *items, size_t size, uint32_t *room, uint32_t count)
{
    items = memory_resize(items, size * 2 * count);
    memset((char *)items + size * *room, 0, size * (2 * count - *room));
    *room = 2 * count;
    return items;
}

static void make_room(struct probe_time *p, const struct path_sums *sums)
{
    if (p->group_room < sums->group_count)
        p->groups = more_room(p->groups, sizeof *p->groups, &p->group_room, sums->group_count);
    uint32_t families = sums->family_count + 1;
    if (p->family_room < families) {
        uint32_t room = p->family_room;
        p->calls = more_room(p->calls, sizeof *p->calls, &room, families);
        p->families = more_room(p->families, sizeof *p->families, &p->family_room, families);
    }
    if (p->path_room < sums->path_count)
        p->leaf_of = more_room(p->leaf_of, sizeof *p->leaf_of, &p->path_room, sums->path_count);
}

void probe_time_meet(struct interval_table *table, uint32_t node)
{
    struct probe_time *p = &table->probes;
    make_room(p, &table->sums);
    const struct path_slot *slot = &table->sums.paths[node];
    struct probe_group *group = &p->groups[slot->place / LANES];
    group->family = slot->among;
    if (!node_kind_is_callable(table->nodes[node].kind))
        group->untimed |= (uint8_t)(1u << slot->place % LANES);
}

/* Calls of the group in the open row. */
static uint64_t calls_now(struct probe_time *p, const struct path_sums *sums, uint32_t group)
{
    const uint64_t *calls = sums->calls.items + (size_t)group * LANES;
    uint64_t sum = 0, before = p->groups[group].before;
    for (uint32_t lane = 0; lane < LANES; lane++)
        sum += calls[lane];
    for (unsigned other = p->groups[group].untimed; other; other &= other - 1)
        sum -= calls[__builtin_ctz(other)];
    p->groups[group].before = sum;
    return sum - before;
}

/* Returns the number of families that have calls in the open row. */
static uint32_t find_calls(struct probe_time *p, const struct path_sums *sums)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < sums->met_count; m++) {
        uint64_t calls = calls_now(p, sums, sums->met[m]);
        uint32_t family = p->groups[sums->met[m]].family;
        p->families[count] = family;
        count += calls && !p->calls[family];
        p->calls[family] += calls;
    }
    return count;
}

/* Only of what runs: the own time of a wait is a wait. The leaf takes it, and its parent has as
 * much less for itself. */
static void take_from(struct interval_table *table, uint32_t parent, uint64_t calls, time_ns ns)
{
    struct probe_time *p = &table->probes;
    enum node_kind kind = table->nodes[parent].kind;
    time_ns own = path_sums_own(&table->sums, parent);
    if (own <= 0 || !(kind == NODE_INTERVAL || node_kind_is_callable(kind)))
        return;
    if (!p->leaf_of[parent]) {
        uint32_t leaf = interval_table_node(table, parent, NODE_PROBES, p->callee);
        p->leaf_of[parent] = leaf;
    }
    uint32_t place = table->sums.paths[p->leaf_of[parent]].place;
    uint32_t counted = calls < UINT32_MAX ? (uint32_t)calls : UINT32_MAX;
    struct path_share share = {place, counted, ns < own ? ns : own};
    path_sums_take(&table->sums, &share, 1);
}

void probe_time_take(struct interval_table *table, time_ns latency)
{
    struct probe_time *p = &table->probes;
    if (!p->any)
        return;
    uint32_t count = find_calls(p, &table->sums);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t family = p->families[i];
        uint64_t calls = p->calls[family];
        __int128 ns = (__int128)calls * p->call_cost >> COST_BITS;
        p->calls[family] = 0;
        if (ns && ns * PROBE_TIME_LEAST >= latency)
            take_from(table, table->sums.path_at[table->sums.families[family].above], calls,
                      ns < latency ? (time_ns)ns : latency);
    }
}
