#include "report/stacks/context_order.h"

#include "base/memory.h"

/* Groups: who ran longest first, as others may do nothing but wait. */
static time_ns weight_of(const struct context_times *times, uint32_t node)
{
    bool group = times->fold.tree.nodes[node].depth == 1;
    const struct context_sum *sum = &times->sums[node];
    return group ? sum->total[TIME_RAN] : context_time_total(sum);
}

void context_order_init(struct child_order *order, const struct context_times *times)
{
    const struct context_tree *tree = &times->fold.tree;
    struct child *children = memory_alloc((tree->count + 1) * sizeof *children);
    size_t count = 0;
    for (uint32_t n = 1; n < tree->count; n++)
        if (context_time_total(&times->sums[n]) > 0)
            children[count++] =
                (struct child){tree->nodes[n].parent, n, (double)weight_of(times, n)};
    child_order_init(order, tree->count, children, count);
    memory_free(children);
}
