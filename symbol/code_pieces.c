#include "symbol/code_pieces.h"

#include <stdlib.h>

#include "base/memory.h"

void code_pieces_add(struct code_pieces *pieces, uint64_t from, uint64_t until)
{
    if (from < until)
        VEC_PUSH(pieces->items, pieces->count, pieces->capacity) = (struct code_piece){from, until};
}

static int by_begin(const void *a, const void *b)
{
    const struct code_piece *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

void code_pieces_join(struct code_pieces *pieces)
{
    size_t kept = 0;
    if (!pieces->count)
        return;
    qsort(pieces->items, pieces->count, sizeof *pieces->items, by_begin);
    for (size_t i = 1; i < pieces->count; i++) {
        struct code_piece *last = &pieces->items[kept], next = pieces->items[i];
        if (next.from > last->until)
            pieces->items[++kept] = next;
        else if (next.until > last->until)
            last->until = next.until;
    }
    pieces->count = kept + 1;
}

void code_pieces_release(struct code_pieces *pieces)
{
    memory_free(pieces->items);
    *pieces = (struct code_pieces){0};
}
