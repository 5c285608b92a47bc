/* apportion.h - a whole number, divided in proportion to weights so that the parts add up to it.
 *
 *     apportion(10, (uint64_t[]){1, 1, 1}, 3, parts)        4, 3, 3
 *
 * Largest remainders: each part is rounded down, and what is left goes by one to those that lost the
 * most by it, of equal ones to the first. No part differs from its due by 1 or more.
 */
#ifndef STATS_APPORTION_H
#define STATS_APPORTION_H

#include <stddef.h>
#include <stdint.h>

/* Writes `count` parts. Where all weights are 0, so are the parts: their sum is then not `whole`, which
 * is not negative. */
void apportion(int64_t whole, const uint64_t *weights, size_t count, int64_t *parts);

#endif
