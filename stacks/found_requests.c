#include "stacks/found_requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint32_t found_requests_begin(struct found_requests *list, const struct request_hit *hit,
                              uint64_t id)
{
    VEC_PUSH(list->items, list->count, list->capacity) =
        (struct request){.begin = hit->time,
                         .end = hit->time,
                         .id = id,
                         .begin_thread = hit->thread,
                         .end_thread = hit->thread,
                         .fate = REQUEST_CUT};
    return (uint32_t)list->count - 1;
}

void found_requests_end(struct found_requests *list, uint32_t request, time_ns time,
                        uint32_t thread, enum request_fate fate)
{
    struct request *item = &list->items[request];
    item->end = time;
    item->end_thread = thread;
    item->fate = (uint8_t)fate;
}

void found_requests_work(struct found_requests *list, uint32_t request, uint32_t thread,
                         time_ns from, time_ns to)
{
    if (request != REQUEST_NONE && to > from)
        VEC_PUSH(list->works, list->work_count, list->work_capacity) =
            (struct request_work){from, to, thread, request};
}

void found_requests_close(struct found_requests *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->work_count; i++) {
        struct request_work work = list->works[i];
        const struct request *request = &list->items[work.request];
        work.to = work.to < request->end ? work.to : request->end;
        if (work.to > work.from)
            list->works[kept++] = work;
    }
    list->work_count = kept;
}

/* By their ends, with the earliest begin of a loss and of all behind it. */
static struct point_loss *sorted_losses(const struct point_loss *losses, size_t count)
{
    struct point_loss *sorted = memory_alloc((count + 1) * sizeof *sorted);
    memcpy(sorted, losses, count * sizeof *sorted);
    for (size_t i = count; i-- > 0;)
        if (i + 1 < count && sorted[i + 1].from < sorted[i].from)
            sorted[i].from = sorted[i + 1].from;
    return sorted;
}

static bool was_lost(const struct point_loss *losses, size_t count, const struct request *request)
{
    size_t low = 0, high = count; /* the first loss that ends in the request or behind it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (losses[middle].until < request->begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && losses[low].from <= request->end;
}

void found_requests_doubt(struct found_requests *list, const struct point_loss *losses,
                          size_t count)
{
    if (!count)
        return;
    struct point_loss *sorted = sorted_losses(losses, count);
    for (size_t i = 0; i < list->count; i++)
        if (was_lost(sorted, count, &list->items[i]))
            list->items[i].fate = REQUEST_DOUBTFUL;
    memory_free(sorted);
}

size_t found_requests_count(const struct found_requests *list, enum request_fate fate)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].fate == fate;
    return count;
}

void found_requests_release(struct found_requests *list)
{
    memory_free(list->items);
    memory_free(list->works);
    *list = (struct found_requests){0};
}
