#include "stacks/found_requests.h"

#include "base/memory.h"
#include "stacks/loss_index.h"

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

void found_requests_doubt(struct found_requests *list, const struct point_loss *losses,
                          size_t count)
{
    struct loss_index index;
    loss_index_init(&index, losses, count);
    for (size_t i = 0; i < list->count; i++)
        if (loss_index_meets(&index, list->items[i].begin, list->items[i].end))
            list->items[i].fate = REQUEST_DOUBTFUL;
    loss_index_release(&index);
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
