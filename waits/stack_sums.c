#include "waits/stack_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"

static uint32_t path_of(struct stack_sums *sums, const struct sampled_frame *frames, uint32_t count)
{
    struct str text = {0};
    for (uint32_t i = 0; i < count; i++)
        str_printf(&text, "%d%s\n", (int)frames[i].kind, frames[i].name);
    uint32_t path = intern_add(&sums->paths, str_text(&text));
    str_release(&text);
    return path;
}

static const struct sampled_frame *kept(struct stack_sums *sums, const struct sampled_frame *frames,
                                        uint32_t count)
{
    struct sampled_frame *copy = ARENA_ARRAY(&sums->arena, struct sampled_frame, count);
    memcpy(copy, frames, count * sizeof *frames);
    return copy;
}

void stack_sums_add(struct stack_sums *sums, uint32_t key, const struct sampled_frame *frames,
                    uint32_t count, double time, double variance)
{
    uint64_t path = path_of(sums, frames, count);
    uint64_t *known = hash_map_put(&sums->of, path << 32 | key);
    if (!*known) {
        VEC_PUSH(sums->items, sums->count, sums->capacity) = (struct stack_sum){
            .key = key, .frames = kept(sums, frames, count), .frame_count = count};
        *known = sums->count;
    }
    struct stack_sum *sum = &sums->items[*known - 1];
    sum->sampled++;
    sum->time_ns += time;
    sum->variance += variance;
}

static int by_key(const void *a, const void *b)
{
    const struct stack_sum *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->time_ns > q->time_ns ? -1 : p->time_ns < q->time_ns;
}

void stack_sums_close(struct stack_sums *sums)
{
    if (sums->count)
        qsort(sums->items, sums->count, sizeof *sums->items, by_key);
    hash_map_release(&sums->of);
    intern_release(&sums->paths);
}

const struct stack_sum *stack_sums_of(const struct stack_sums *sums, uint32_t key, size_t *count)
{
    size_t low = 0, high = sums->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < sums->count && sums->items[low + *count].key == key;)
        ++*count;
    return *count ? &sums->items[low] : NULL;
}

void stack_sums_release(struct stack_sums *sums)
{
    memory_free(sums->items);
    hash_map_release(&sums->of);
    intern_release(&sums->paths);
    arena_release(&sums->arena);
    *sums = (struct stack_sums){0};
}

const char *stack_sum_function(const struct stack_sum *sum)
{
    const char *library = "";
    for (uint32_t i = 0; i < sum->frame_count; i++) {
        if (sum->frames[i].kind == FRAME_PROGRAM)
            return sum->frames[i].name;
        if (sum->frames[i].kind == FRAME_LIBRARY && !*library)
            library = sum->frames[i].name;
    }
    return library;
}
