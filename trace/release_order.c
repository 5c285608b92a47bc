#include "trace/release_order.h"
#include "base/hash_map.h"

#include <stdlib.h>

#include "base/memory.h"

/* A group has the releases of one key. */
struct release_group {
    uint64_t key;
    uint32_t number; /* in order of first sight */
    uint32_t count;
};

struct grouping {
    struct waker_release *releases;
    uint32_t count;
    struct release_group *groups;
    size_t group_count, group_capacity;
    uint32_t *group_of; /* by release */
    uint32_t *order;    /* by place: the release that belongs there */
};

static uint32_t add_group(struct grouping *g, uint64_t key)
{
    struct release_group group = {.key = key, .number = (uint32_t)g->group_count};
    VEC_PUSH(g->groups, g->group_count, g->group_capacity) = group;
    return group.number;
}

static void find_groups(struct grouping *g)
{
    struct hash_map numbers = {0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t key = g->releases[i].key;
        if (i == 0 || key != g->releases[i - 1].key) {
            uint64_t *known = hash_map_put(&numbers, key);
            if (!*known)
                *known = add_group(g, key) + 1;
            number = (uint32_t)*known - 1;
        }
        g->groups[number].count++;
        g->group_of[i] = number;
    }
    hash_map_release(&numbers);
}

static int by_key(const void *a, const void *b)
{
    const struct release_group *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

/* The releases of each group are put together, the groups by key. */
static void put_together(struct grouping *g)
{
    uint32_t *next = memory_alloc(sizeof *next * g->group_count), at = 0;
    qsort(g->groups, g->group_count, sizeof *g->groups, by_key);
    for (size_t i = 0; i < g->group_count; at += g->groups[i++].count)
        next[g->groups[i].number] = at;
    for (uint32_t i = 0; i < g->count; i++)
        g->order[next[g->group_of[i]]++] = i;
    memory_free(next);
}

static int by_time(const void *a, const void *b, void *releases)
{
    const struct waker_release *p = (struct waker_release *)releases + *(const uint32_t *)a;
    const struct waker_release *q = (struct waker_release *)releases + *(const uint32_t *)b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1; /* as they were added */
}

static void sort_group(struct grouping *g, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (by_time(&order[i - 1], &order[i], g->releases) > 0) {
            qsort_r(order, count, sizeof *order, by_time, g->releases);
            return;
        }
}

/* The releases go where they belong, round by round of those that take each other's places. */
static void move_all(struct grouping *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        struct waker_release first = g->releases[i];
        uint32_t to = i;
        for (uint32_t from; (from = g->order[to]) != i; to = from) {
            g->releases[to] = g->releases[from];
            g->order[to] = to;
        }
        g->releases[to] = first;
        g->order[to] = to;
    }
}

void releases_sort(struct waker_release *releases, size_t count)
{
    struct grouping g = {.releases = releases, .count = (uint32_t)count};
    g.group_of = memory_alloc(sizeof *g.group_of * count);
    g.order = memory_alloc(sizeof *g.order * count);
    find_groups(&g);
    put_together(&g);
    uint32_t at = 0;
    for (size_t i = 0; i < g.group_count; at += g.groups[i++].count)
        sort_group(&g, g.order + at, g.groups[i].count);
    move_all(&g);
    memory_free(g.group_of);
    memory_free(g.order);
    memory_free(g.groups);
}
