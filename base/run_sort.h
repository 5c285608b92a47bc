/* run_sort.h - sorts pairs of numbers, the faster the longer the runs are that ascend already.
 *
 *     struct run_item items[] = {{3, 0}, {8, 1}, {9, 2},  {1, 3}, {8, 4}};      two runs
 *     run_sort(items, 5);                  {1, 3}, {3, 0}, {8, 1}, {8, 4}, {9, 2}
 *
 * For what several threads logged, each in order of time. By key, and where that is the same by
 * value. O(n log r), r runs; as much memory again while it runs.
 */
#ifndef BASE_RUN_SORT_H
#define BASE_RUN_SORT_H

#include <stddef.h>
#include <stdint.h>

struct run_item {
    uint64_t key, value;
};

void run_sort(struct run_item *items, size_t count);

#endif
