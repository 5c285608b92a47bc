/* moment_heap.h - which of many comes next, where each has one moment at a time.
 *
 *     struct moment_heap heap = {0};
 *     moment_heap_add(&heap, (struct heap_moment){time, who});
 *     heap.items[0]                                          the earliest; of one time, the least `who`
 *     moment_heap_next(&heap, later);                        instead of it
 *     moment_heap_drop(&heap);                               it has no more
 *     moment_heap_release(&heap);
 *
 * O(log n) each. A zeroed struct is empty.
 */
#ifndef BASE_MOMENT_HEAP_H
#define BASE_MOMENT_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap_moment {
    int64_t time;
    uint32_t who;
};

struct moment_heap {
    struct heap_moment *items; /* each is before items[2 * i + 1] and items[2 * i + 2] */
    size_t count, capacity;
};

void moment_heap_add(struct moment_heap *heap, struct heap_moment moment);
/* There is one at least. */
void moment_heap_next(struct moment_heap *heap, int64_t time);
void moment_heap_drop(struct moment_heap *heap);
void moment_heap_release(struct moment_heap *heap);

#endif
