/* near_search.h - where in a sequence something stops being true, from where it did the last time.
 *
 *     static bool ends_before(const void *pages, size_t i) ...
 *     i = near_search(count, near, ends_before, pages);          the first that does not, or count
 *
 * What holds of an item holds of all before it. Cost: O(log of the distance from `near`), which is
 * 0 to count; a search from 0 or from count is one from that end. Inlined with what it asks.
 */
#ifndef BASE_NEAR_SEARCH_H
#define BASE_NEAR_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

typedef bool near_holds(const void *items, size_t i);

static inline __attribute__((always_inline)) size_t
near_search(size_t count, size_t near, near_holds *holds, const void *items)
{
    size_t low = near, high = near, step = 1; /* it holds below low, and not from high on */
    if (near < count && holds(items, near)) {
        for (low++; count - low >= step && holds(items, low + step - 1); step *= 2)
            low += step;
        high = count - low >= step ? low + step - 1 : count;
    } else {
        for (; high >= step && !holds(items, high - step); step *= 2)
            high -= step;
        low = high >= step ? high - step + 1 : 0;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (holds(items, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
