#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_none(size_t size_bytes)
{
    fprintf(stderr, "vprofiler: out of memory (%zu bytes wanted).\n", size_bytes);
    exit(1);
}

static void *memory_check(void *memory, size_t size_bytes)
{
    if (!memory && size_bytes)
        memory_none(size_bytes);
    return memory;
}

void *memory_alloc(size_t size_bytes)
{
    return memory_check(malloc(size_bytes), size_bytes);
}

void *memory_zeroed(size_t size_bytes)
{
    return memory_check(calloc(1, size_bytes), size_bytes);
}

void *memory_zeroed_lines(size_t size_bytes)
{
    enum { LINE_BYTES = 64 };
    size_t whole_bytes = (size_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    void *memory = memory_check(aligned_alloc(LINE_BYTES, whole_bytes), size_bytes);
    return size_bytes ? memset(memory, 0, size_bytes) : memory;
}

void *memory_resize(void *memory, size_t size_bytes)
{
    return memory_check(realloc(memory, size_bytes), size_bytes);
}

char *memory_strdup(const char *text)
{
    size_t size_bytes = strlen(text) + 1;
    return memcpy(memory_alloc(size_bytes), text, size_bytes);
}

void memory_free(void *memory)
{
    free(memory);
}
