/* number_sort.h - sorts numbers of which there are many.
 *
 *     int64_t latencies[] = {700, 20, 31};
 *     number_sort(latencies, 3);                 20, 31, 700
 *
 * None may be negative. Linear: one pass for each eleven bits of the greatest; as much memory again
 * while it runs.
 */
#ifndef BASE_NUMBER_SORT_H
#define BASE_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

void number_sort(int64_t *numbers, size_t count);

#endif
