#include "report/kit/child_order.h"

#include <stdlib.h>

#include "base/memory.h"

static int by_place(const void *a, const void *b)
{
    const struct child *p = a, *q = b;
    if (p->parent != q->parent)
        return p->parent < q->parent ? -1 : 1;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

void child_order_init(struct child_order *order, size_t nodes, struct child *children, size_t count)
{
    order->items = memory_alloc((count + 1) * sizeof *order->items);
    order->first = memory_zeroed((nodes + 2) * sizeof *order->first);
    if (count)
        qsort(children, count, sizeof *children, by_place);
    for (size_t i = 0; i < count; i++) {
        order->items[i] = children[i].node;
        order->first[children[i].parent + 1]++;
    }
    for (size_t n = 0; n < nodes; n++)
        order->first[n + 1] += order->first[n];
}

void child_order_release(struct child_order *order)
{
    memory_free(order->items);
    memory_free(order->first);
}
