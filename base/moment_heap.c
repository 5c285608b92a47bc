#include "base/moment_heap.h"

#include <stdbool.h>

#include "base/memory.h"

static bool is_before(const struct heap_moment *a, const struct heap_moment *b)
{
    return a->time != b->time ? a->time < b->time : a->who < b->who;
}

void moment_heap_add(struct moment_heap *heap, struct heap_moment moment)
{
    size_t at = heap->count;
    VEC_PUSH(heap->items, heap->count, heap->capacity) = moment;
    for (; at && is_before(&moment, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = moment;
}

/* The first place is free: who comes before the moment moves up. */
static void put_first(struct moment_heap *heap, struct heap_moment moment)
{
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && is_before(&heap->items[child + 1], &heap->items[child]))
            child++;
        if (!is_before(&heap->items[child], &moment))
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = moment;
}

void moment_heap_next(struct moment_heap *heap, int64_t time)
{
    put_first(heap, (struct heap_moment){time, heap->items[0].who});
}

void moment_heap_drop(struct moment_heap *heap)
{
    struct heap_moment last = heap->items[--heap->count];
    if (heap->count)
        put_first(heap, last);
}

void moment_heap_release(struct moment_heap *heap)
{
    memory_free(heap->items);
    *heap = (struct moment_heap){0};
}
