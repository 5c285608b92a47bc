#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

/* A share is LEAST_SHARE at least: to make the pages of as many bytes takes longer than to make a
 * thread. */
enum { LEAST_SHARE = 8 * 1024 * 1024 };
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

struct zeroing {
    char *memory;
    size_t size_bytes;
    uint32_t jobs;
};

static void zero_part(void *context, uint32_t job)
{
    const struct zeroing *z = context;
    uint64_t from = parallel_share(z->size_bytes, z->jobs, job);
    memset(z->memory + from, 0, parallel_share(z->size_bytes, z->jobs, job + 1) - from);
}

static void *zero(void *memory, size_t size_bytes)
{
    struct zeroing z = {memory, size_bytes, parallel_jobs(size_bytes / LEAST_SHARE)};
    parallel_run(z.jobs, zero_part, &z);
    return memory;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
    size_t need = (size_bytes + 15) & ~(size_t)15;
    if (!arena->blocks || arena->blocks->capacity - arena->used < need)
        arena_grow(arena, need);
    void *memory = arena->blocks->data + arena->used;
    arena->used += need;
    return need < LEAST_SHARE ? memset(memory, 0, need) : zero(memory, need);
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

void arena_adopt(struct arena *arena, void *memory)
{
    VEC_PUSH(arena->adopted, arena->adopted_count, arena->adopted_capacity) = memory;
}

void arena_release(struct arena *arena)
{
    for (size_t i = 0; i < arena->adopted_count; i++)
        memory_free(arena->adopted[i]);
    memory_free(arena->adopted);
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        memory_free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (struct arena){0};
}
