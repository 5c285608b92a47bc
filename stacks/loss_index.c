#include "stacks/loss_index.h"

#include <string.h>

#include "base/memory.h"

void loss_index_init(struct loss_index *index, const struct point_loss *losses, size_t count)
{
    struct point_loss *sorted = memory_alloc((count + 1) * sizeof *sorted);
    if (count)
        memcpy(sorted, losses, count * sizeof *sorted);
    for (size_t i = count; i-- > 0;)
        if (i + 1 < count && sorted[i + 1].from < sorted[i].from)
            sorted[i].from = sorted[i + 1].from;
    *index = (struct loss_index){sorted, count};
}

bool loss_index_meets(const struct loss_index *index, time_ns from, time_ns until)
{
    size_t low = 0, high = index->count; /* the first loss that ends in that time or behind it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->items[middle].until < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && index->items[low].from <= until;
}

void loss_index_release(struct loss_index *index)
{
    memory_free(index->items);
    *index = (struct loss_index){0};
}
