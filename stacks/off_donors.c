#include "stacks/off_donors.h"

#include <stdlib.h>

#include "base/memory.h"
#include "stacks/stack_moment.h"

/* So many are looked at, in either direction, for one below what is known (chosen). */
enum { MOST_TRIES = 8 };
static uint64_t kind_by_waker(const struct off_cpu *off)
{
    return (uint64_t)off->cause << 33 | off->waker; /* one word: a waker has 32 bits */
}

static uint64_t kind_by_cause(const struct off_cpu *off)
{
    return (uint64_t)off->cause << 33 | UINT64_C(1) << 32;
}

void off_donors_add(struct off_donors *donors, const struct off_cpu *off, uint32_t node)
{
    VEC_PUSH(donors->items, donors->count, donors->capacity) =
        (struct off_donor){kind_by_waker(off), off->out, node};
    VEC_PUSH(donors->items, donors->count, donors->capacity) =
        (struct off_donor){kind_by_cause(off), off->out, node};
}

static int compare(const void *a, const void *b)
{
    const struct off_donor *p = a, *q = b;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    return p->time < q->time ? -1 : p->time > q->time;
}

void off_donors_sort(struct off_donors *donors)
{
    if (donors->count)
        qsort(donors->items, donors->count, sizeof *donors->items, compare);
}

/* The first that is not before the kind's time. */
static size_t first_behind(const struct off_donors *donors, uint64_t kind, time_ns time)
{
    const struct off_donor wanted = {kind, time, 0};
    size_t low = 0, high = donors->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&donors->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_of(const struct off_donors *donors, size_t item, uint64_t kind)
{
    return item < donors->count && donors->items[item].kind == kind;
}

static uint32_t find_kind(const struct off_donors *donors, const struct context_tree *tree,
                          uint64_t kind, time_ns time, uint32_t known)
{
    size_t behind = first_behind(donors, kind, time), before = behind - 1; /* it may be SIZE_MAX */
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        bool is_before = is_of(donors, before, kind), is_behind = is_of(donors, behind, kind);
        if (!is_before && !is_behind)
            break;
        bool nearer_before = is_before && (!is_behind || time - donors->items[before].time <=
                                                             donors->items[behind].time - time);
        uint32_t node = donors->items[nearer_before ? before-- : behind++].node;
        if (context_common(tree, node, known) == known)
            return node;
    }
    return CONTEXT_NONE;
}

uint32_t off_donors_find(const struct off_donors *donors, const struct context_tree *tree,
                         const struct off_cpu *off, uint32_t known)
{
    uint32_t node = find_kind(donors, tree, kind_by_waker(off), off->out, known);
    return node != CONTEXT_NONE ? node
                                : find_kind(donors, tree, kind_by_cause(off), off->out, known);
}

void off_donors_release(struct off_donors *donors)
{
    memory_free(donors->items);
    *donors = (struct off_donors){0};
}
