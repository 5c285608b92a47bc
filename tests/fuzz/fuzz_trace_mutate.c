/* libFuzzer's changes, and in every second input one that keeps records whole: 16 bytes of them are
 * repeated, taken out or moved. Insertions elsewhere would shift all that follow out of step. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_trace.h"
#include "trace/trace_format.h"

enum { UNIT = 16 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* The end of the word that begins the part of the input in which `at` lies. */
static size_t part_start(const uint8_t *data, size_t at)
{
    for (; at >= FUZZ_WORD_BYTES; at--)
        if (memcmp(data + at - FUZZ_WORD_BYTES, FUZZ_PAGE, FUZZ_WORD_BYTES) == 0)
            return at;
    return 0;
}

static size_t unit_at(const uint8_t *data, size_t at)
{
    size_t start = part_start(data, at);
    return start + (at - start) / UNIT * UNIT;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned random = seed * 2654435761u;
    if (random & 0x10000 || size < 16 * UNIT || size + 4 * UNIT > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t length = UNIT * (1 + (random >> 17 & 3));
    size_t from = unit_at(data, (random >> 8) % (size - length));
    size_t to = unit_at(data, (seed >> 3) % (size - length));
    uint8_t units[4 * UNIT];
    memcpy(units, data + from, length);
    if (random & 0x100000) {
        memmove(data + to + length, data + to, size - to);
        memcpy(data + to, units, length);
        return size + length;
    }
    if (random & 0x200000) {
        memmove(data + from, data + from + length, size - from - length);
        return size - length;
    }
    memcpy(data + to, units, length);
    return LLVMFuzzerMutate(data, size, max_size);
}
