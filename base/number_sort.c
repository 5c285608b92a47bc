#include "base/number_sort.h"

#include <string.h>

#include "base/memory.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static size_t digit_of(int64_t number, unsigned shift)
{
    return (uint64_t)number >> shift & (DIGITS - 1);
}

/* The values are sorted by one digit; those that are equal in it keep their order. */
static void sort_by_digit(const int64_t *from, int64_t *to, size_t count, unsigned shift)
{
    size_t places[DIGITS] = {0};
    for (size_t i = 0; i < count; i++)
        places[digit_of(from[i], shift)]++;
    for (size_t digit = 0, before = 0; digit < DIGITS; digit++) {
        size_t here = places[digit];
        places[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[digit_of(from[i], shift)]++] = from[i];
}

void number_sort(int64_t *numbers, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= (uint64_t)numbers[i];
    int64_t *scratch = memory_alloc(sizeof *scratch * count);
    int64_t *from = numbers, *to = scratch;
    for (unsigned shift = 0; shift < 64 && bits >> shift; shift += DIGIT_BITS) {
        int64_t *last = from;
        sort_by_digit(from, to, count, shift);
        from = to;
        to = last;
    }
    if (from != numbers)
        memcpy(numbers, from, sizeof *numbers * count);
    memory_free(scratch);
}
