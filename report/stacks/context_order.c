#include "report/stacks/context_order.h"

#include <stdlib.h>

#include "base/memory.h"

struct placed {
    uint32_t parent, node;
    time_ns total;
};

/* Groups: who ran longest first, as others may do nothing but wait. */
static int by_place(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    if (p->parent != q->parent)
        return p->parent < q->parent ? -1 : 1;
    if (p->total != q->total)
        return p->total > q->total ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

static time_ns weight_of(const struct context_times *times, uint32_t node)
{
    bool group = times->fold.tree.nodes[node].depth == 1;
    const struct context_sum *sum = &times->sums[node];
    return group ? sum->total[TIME_RAN] : context_time_total(sum);
}

void context_order_init(struct context_order *order, const struct context_times *times)
{
    const struct context_tree *tree = &times->fold.tree;
    struct placed *placed = memory_alloc((tree->count + 1) * sizeof *placed);
    size_t count = 0;
    order->items = memory_alloc((tree->count + 1) * sizeof *order->items);
    order->first = memory_zeroed((tree->count + 2) * sizeof *order->first);
    for (uint32_t n = 1; n < tree->count; n++)
        if (context_time_total(&times->sums[n]) > 0)
            placed[count++] = (struct placed){tree->nodes[n].parent, n, weight_of(times, n)};
    if (count)
        qsort(placed, count, sizeof *placed, by_place);
    for (size_t i = 0; i < count; i++) {
        order->items[i] = placed[i].node;
        order->first[placed[i].parent + 1]++;
    }
    for (size_t n = 0; n < tree->count; n++)
        order->first[n + 1] += order->first[n];
    memory_free(placed);
}

void context_order_release(struct context_order *order)
{
    memory_free(order->items);
    memory_free(order->first);
}
