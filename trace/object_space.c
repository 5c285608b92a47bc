#include "trace/object_space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/trace_format.h"

static bool range_parse(struct object_range *range, const char *line)
{
    char perms[5];
    uint64_t major, minor, inode;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx64 ":%" SCNx64 " %" SCNu64,
               &range->start, &range->end, perms, &range->offset, &major, &minor, &inode) != 7 ||
        strlen(perms) != 4 || range->start >= range->end)
        return false;
    range->file = trace_file_number(major, minor, inode);
    range->shared = perms[3] == 's';
    return true;
}

static int range_compare(const void *a, const void *b)
{
    const struct object_range *p = a, *q = b;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return p->end < q->end ? -1 : p->end > q->end;
}

/* The mapping `next` is joined into `last`, which it overlaps. Where the two disagree nothing is
 * known. */
static void range_join(struct object_range *last, const struct object_range *next)
{
    if (last->file != next->file || last->offset - last->start != next->offset - next->start)
        last->shared = false;
    if (next->end > last->end)
        last->end = next->end;
}

static void ranges_sort(struct object_ranges *ranges)
{
    size_t kept = 0;
    if (ranges->count)
        qsort(ranges->items, ranges->count, sizeof *ranges->items, range_compare);
    for (size_t i = 0; i < ranges->count; i++) {
        if (kept > 0 && ranges->items[i].start < ranges->items[kept - 1].end)
            range_join(&ranges->items[kept - 1], &ranges->items[i]);
        else
            ranges->items[kept++] = ranges->items[i];
    }
    ranges->count = kept;
}

static const struct object_range *ranges_find(const struct object_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct object_range *range = &ranges->items[middle];
        if (address < range->start)
            high = middle;
        else if (address >= range->end)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

void object_space_init(struct object_space *space, uint32_t process, const char *maps)
{
    *space = (struct object_space){.process = process};
    for (const char *line = maps; *line;) {
        struct object_range range;
        size_t length = strcspn(line, "\n");
        char head[128]; /* sscanf measures the whole of its input, each time */
        size_t kept = length < sizeof head - 1 ? length : sizeof head - 1;
        memcpy(head, line, kept);
        head[kept] = '\0';
        if (range_parse(&range, head))
            VEC_PUSH(space->own.items, space->own.count, space->own.capacity) = range;
        line += length + (line[length] == '\n');
    }
    ranges_sort(&space->own);
}

void object_space_learn(struct object_space *space, const struct object_space *relative)
{
    struct object_ranges *learned = &space->learned;
    for (size_t i = 0; i < relative->own.count; i++)
        if (relative->own.items[i].shared)
            VEC_PUSH(learned->items, learned->count, learned->capacity) = relative->own.items[i];
}

void object_space_ready(struct object_space *space)
{
    ranges_sort(&space->learned);
}

void object_space_release(struct object_space *space)
{
    memory_free(space->own.items);
    memory_free(space->learned.items);
    *space = (struct object_space){0};
}

bool object_space_shared(const struct object_space *space, uint64_t address, uint64_t *object)
{
    const struct object_range *range = ranges_find(&space->own, address);
    if (!range)
        range = ranges_find(&space->learned, address);
    if (!range || !range->shared)
        return false;
    *object = trace_shared_object(range->file, address - range->start + range->offset);
    return true;
}

uint64_t object_space_private(const struct object_space *space, uint64_t address)
{
    return hash_mix(hash_mix(space->process + UINT64_C(1)) ^ address);
}

uint64_t object_space_find(const struct object_space *space, uint64_t address)
{
    uint64_t object;
    if (!trace_object_is_address(address))
        return hash_mix(address);
    if (object_space_shared(space, address, &object))
        return hash_mix(object);
    return object_space_private(space, address);
}
