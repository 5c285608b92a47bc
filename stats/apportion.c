#include "stats/apportion.h"

#include <stdlib.h>

#include "base/memory.h"

/* What a part lost by rounding, of the sum of the weights. */
struct loss {
    unsigned __int128 rest;
    size_t index;
};

static int by_rest(const void *a, const void *b)
{
    const struct loss *p = a, *q = b;
    if (p->rest != q->rest)
        return p->rest > q->rest ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void apportion(int64_t whole, const uint64_t *weights, size_t count, int64_t *parts)
{
    unsigned __int128 sum = 0;
    struct loss *losses = memory_alloc((count + 1) * sizeof *losses);
    int64_t left = whole;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++) {
        unsigned __int128 due = sum ? (unsigned __int128)whole * weights[i] : 0;
        parts[i] = sum ? (int64_t)(due / sum) : 0;
        losses[i] = (struct loss){sum ? due % sum : 0, i};
        left -= parts[i];
    }
    if (sum && left) {
        qsort(losses, count, sizeof *losses, by_rest);
        for (size_t i = 0; i < (size_t)left; i++)
            parts[losses[i].index]++;
    }
    memory_free(losses);
}
