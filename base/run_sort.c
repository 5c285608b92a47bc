#include "base/run_sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

static inline bool item_before(const struct run_item *a, const struct run_item *b)
{
    unsigned __int128 left = (unsigned __int128)a->key << 64 | a->value;
    unsigned __int128 right = (unsigned __int128)b->key << 64 | b->value;
    return left < right;
}

/* Behind the run that begins at `first`. */
static size_t run_end(const struct run_item *items, size_t first, size_t count)
{
    size_t end = first + (first < count);
    while (end < count && !item_before(&items[end], &items[end - 1]))
        end++;
    return end;
}

/* [a, b) and [b, end) are runs. Which one is next is a toss: so there is no branch for it. */
static void merge(struct run_item *to, const struct run_item *a, const struct run_item *b,
                  const struct run_item *end)
{
    const struct run_item *a_end = b;
    while (a < a_end && b < end) {
        bool second = item_before(b, a);
        *to++ = *(second ? b : a);
        a += !second;
        b += second;
    }
    memcpy(to, a, sizeof *to * (size_t)(a_end - a));
    memcpy(to + (a_end - a), b, sizeof *to * (size_t)(end - b));
}

void run_sort(struct run_item *items, size_t count)
{
    if (run_end(items, 0, count) == count)
        return;
    struct run_item *spare = memory_alloc(sizeof *spare * count), *from = items, *to = spare;
    for (bool sorted = false; !sorted;) {
        for (size_t first = 0, end; first < count; first = end) {
            size_t middle = run_end(from, first, count);
            end = run_end(from, middle, count);
            merge(to + first, from + first, from + middle, from + end);
            sorted = end - first == count;
        }
        struct run_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, sizeof *items * count);
    memory_free(spare);
}
