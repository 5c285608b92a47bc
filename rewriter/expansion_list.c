#include "rewriter/expansion_list.h"

#include <stdlib.h>

#include "base/memory.h"

void expansion_list_add(struct expansion_list *list, uint32_t begin, uint32_t end,
                        const char *macro)
{
    struct expansion expansion = {.begin = begin, .end = end, .macro = macro};
    VEC_PUSH(list->items, list->count, list->capacity) = expansion;
    list->sorted = false;
}

static int compare_expansions(const void *a, const void *b)
{
    const struct expansion *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

static void sort_expansions(struct expansion_list *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_expansions);
    for (uint32_t i = 1; i < list->count; i++) {
        uint32_t around = i;
        while (around && list->items[around - 1].end <= list->items[i].begin)
            around = list->items[around - 1].around;
        list->items[i].around = around;
    }
    list->sorted = true;
}

uint32_t expansion_list_at(struct expansion_list *list, uint32_t offset)
{
    if (!list->sorted)
        sort_expansions(list);
    uint32_t low = 0, high = (uint32_t)list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->items[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    while (low && list->items[low - 1].end <= offset)
        low = list->items[low - 1].around;
    return low;
}

const char *expansion_list_starting_at(struct expansion_list *list, uint32_t offset)
{
    uint32_t at = expansion_list_at(list, offset);
    return at && list->items[at - 1].begin == offset ? list->items[at - 1].macro : NULL;
}

void expansion_list_release(struct expansion_list *list)
{
    memory_free(list->items);
}
