#include "stacks/request_blocks.h"

#include <stdlib.h>

#include "base/memory.h"

struct ended {
    time_ns end;
    uint32_t interval;
};

static int end_order(const void *a, const void *b)
{
    const struct ended *p = a, *q = b;
    if (p->end != q->end)
        return p->end < q->end ? -1 : 1;
    return p->interval < q->interval ? -1 : p->interval > q->interval;
}

static struct ended *list_ended(const struct timelines *run, const bool *chosen, size_t *count)
{
    struct ended *list = memory_alloc(sizeof *list * (run->interval_count + 1));
    *count = 0;
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete && (!chosen || chosen[i]))
            list[(*count)++] = (struct ended){run->intervals[i].end, i};
    if (*count)
        qsort(list, *count, sizeof *list, end_order);
    return list;
}

static void put_into_blocks(struct request_blocks *blocks, const struct timelines *run,
                            const struct ended *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* Block b has those from count * b / blocks on. */
        uint32_t block = (uint32_t)(((i + 1) * blocks->count - 1) / count);
        const struct interval *interval = &run->intervals[list[i].interval];
        blocks->of[list[i].interval] = block;
        blocks->requests[block]++;
        blocks->latency[block] += (double)(interval->end - interval->begin);
    }
}

bool request_blocks_fill(struct request_blocks *blocks, const struct timelines *run,
                         const bool *chosen, uint32_t count)
{
    size_t requests;
    struct ended *list = list_ended(run, chosen, &requests);
    bool enough = requests >= count;
    *blocks = (struct request_blocks){0};
    if (enough) {
        blocks->count = count;
        blocks->of = memory_alloc(sizeof *blocks->of * (run->interval_count + 1));
        blocks->requests = memory_zeroed(sizeof *blocks->requests * count);
        blocks->latency = memory_zeroed(sizeof *blocks->latency * count);
        for (uint32_t i = 0; i < run->interval_count; i++)
            blocks->of[i] = REQUEST_BLOCK_NONE;
        put_into_blocks(blocks, run, list, requests);
    }
    memory_free(list);
    return enough;
}

void request_blocks_release(struct request_blocks *blocks)
{
    memory_free(blocks->of);
    memory_free(blocks->requests);
    memory_free(blocks->latency);
    *blocks = (struct request_blocks){0};
}
