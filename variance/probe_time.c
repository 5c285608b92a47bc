#include "variance/probe_time.h"

#include <string.h>

#include "base/memory.h"

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

void probe_time_meet(struct probe_time *p, const struct path_sums *sums, uint32_t path, bool called)
{
    make_room(p, sums);
    const struct path_slot *slot = &sums->paths[path];
    struct probe_group *group = &p->groups[slot->place / LANES];
    group->family = slot->among;
    if (!called)
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

uint32_t probe_time_families(struct probe_time *p, const struct path_sums *sums)
{
    uint32_t count = 0;
    if (!p->any)
        return 0;
    for (uint32_t m = 0; m < sums->met_count; m++) {
        uint64_t calls = calls_now(p, sums, sums->met[m]);
        uint32_t family = p->groups[sums->met[m]].family;
        p->families[count] = family;
        count += calls && !p->calls[family];
        p->calls[family] += calls;
    }
    return count;
}

bool probe_time_of_family(struct probe_time *p, const struct path_sums *sums, uint32_t index,
                          time_ns latency, struct probe_cost *cost)
{
    uint32_t family = p->families[index];
    uint64_t calls = p->calls[family];
    __int128 ns = (__int128)calls * p->call_cost >> COST_BITS;
    p->calls[family] = 0;
    *cost = (struct probe_cost){.path = sums->path_at[sums->families[family].above],
                                .calls = calls < UINT32_MAX ? (uint32_t)calls : UINT32_MAX,
                                .ns = ns < latency ? (time_ns)ns : latency};
    return ns && ns * PROBE_TIME_LEAST >= latency;
}
