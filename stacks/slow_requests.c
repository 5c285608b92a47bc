#include "stacks/slow_requests.h"

#include <stdlib.h>

#include "base/memory.h"

struct by_latency {
    time_ns latency;
    uint32_t interval;
};

static int latency_order(const void *a, const void *b)
{
    const struct by_latency *p = a, *q = b;
    if (p->latency != q->latency)
        return p->latency < q->latency ? -1 : 1;
    return p->interval < q->interval ? -1 : p->interval > q->interval;
}

static void choose(struct slow_requests *requests, const struct by_latency *list)
{
    uint32_t count = requests->count, slow = (count + 99) / 100;
    slow = slow < SLOW_LEAST ? SLOW_LEAST : slow;
    for (uint32_t i = count - slow; i < count; i++)
        requests->slow[list[i].interval] = true;
    for (uint32_t i = count / 4; i < count - count / 4; i++)
        requests->typical[list[i].interval] = true;
    requests->slow_count = slow;
    requests->typical_count = count - 2 * (count / 4);
    requests->slow_from = list[count - slow].latency;
}

bool slow_requests_choose(struct slow_requests *requests, const struct timelines *run)
{
    struct by_latency *list = memory_alloc(sizeof *list * (run->interval_count + 1));
    *requests = (struct slow_requests){0};
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete)
            list[requests->count++] =
                (struct by_latency){run->intervals[i].end - run->intervals[i].begin, i};
    bool enough = requests->count >= SLOW_REQUESTS_LEAST;
    if (enough) {
        qsort(list, requests->count, sizeof *list, latency_order);
        requests->slow = memory_zeroed(run->interval_count);
        requests->typical = memory_zeroed(run->interval_count);
        choose(requests, list);
    }
    memory_free(list);
    return enough;
}

void slow_requests_release(struct slow_requests *requests)
{
    memory_free(requests->slow);
    memory_free(requests->typical);
    *requests = (struct slow_requests){0};
}
