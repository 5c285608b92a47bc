#include "trace/nest.h"

#include "base/memory.h"

/* The starts of the stack's items increase from bottom to top, so that the children of a new item
 * are those on top. `size` counts each item with all that is below it. */
static void nest_adopt(struct nest_item *items, uint32_t *size, uint32_t count)
{
    uint32_t *stack = memory_alloc(sizeof *stack * count);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        size[i] = 1;
        items[i].parent = NEST_NONE;
        if (items[i].end < items[i].start)
            items[i].end = items[i].start;
        while (depth > 0 && items[stack[depth - 1]].start >= items[i].start) {
            uint32_t child = stack[--depth];
            items[child].parent = i;
            size[i] += size[child];
        }
        stack[depth++] = i;
    }
    memory_free(stack);
}

struct nest_room {
    int64_t limit; /* children from here on to the left end by now */
    uint32_t next; /* and take the places before this one */
};

static void nest_cut(struct nest_item *item, int64_t limit)
{
    if (item->end > limit)
        item->end = limit;
    if (item->start > limit)
        item->start = limit;
}

/* Backwards, a parent comes before its children, and the children from right to left. */
static void nest_place(struct nest_item *items, const uint32_t *size, uint32_t count)
{
    struct nest_room *rooms = memory_alloc(sizeof *rooms * count);
    struct nest_room outermost = {INT64_MAX, count};
    for (uint32_t i = count; i-- > 0;) {
        struct nest_item *item = &items[i];
        struct nest_room *room = item->parent == NEST_NONE ? &outermost : &rooms[item->parent];
        nest_cut(item, room->limit);
        item->place = room->next - size[i];
        rooms[i] = (struct nest_room){item->end, room->next};
        *room = (struct nest_room){item->start, item->place};
    }
    memory_free(rooms);
}

void nest_build(struct nest_item *items, uint32_t count)
{
    uint32_t *size = memory_alloc(sizeof *size * count);
    nest_adopt(items, size, count);
    nest_place(items, size, count);
    memory_free(size);
}
