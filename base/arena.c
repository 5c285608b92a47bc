#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t capacity;
    _Alignas(16) char data[];
};

static void arena_grow(struct arena *arena, size_t need)
{
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : FIRST_BLOCK;
    if (capacity > LARGEST_BLOCK)
        capacity = LARGEST_BLOCK;
    if (capacity < need)
        capacity = need;
    struct arena_block *block = memory_alloc(sizeof *block + capacity);
    block->next = arena->blocks;
    block->capacity = capacity;
    arena->blocks = block;
    arena->used = 0;
    arena->total_bytes += sizeof *block + capacity;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
    size_t need = (size_bytes + 15) & ~(size_t)15;
    if (!arena->blocks || arena->blocks->capacity - arena->used < need)
        arena_grow(arena, need);
    void *memory = arena->blocks->data + arena->used;
    arena->used += need;
    return memset(memory, 0, need);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void arena_release(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        memory_free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (struct arena){0};
}
