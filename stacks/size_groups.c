#include "stacks/size_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct sized {
    int64_t size;
    uint32_t interval;
};

static int by_size(const void *a, const void *b)
{
    const struct sized *p = a, *q = b;
    if (p->size != q->size)
        return p->size < q->size ? -1 : 1;
    return p->interval < q->interval ? -1 : p->interval > q->interval;
}

/* What was told of it last; 0: nothing was. */
static int64_t size_of(const struct interval *interval, const char *value)
{
    for (uint32_t i = interval->value_count; i-- > 0;)
        if (strcmp(interval->values[i].name, value) == 0)
            return interval->values[i].value;
    return 0;
}

static uint32_t gather(struct sized *list, const struct timelines *run, const char *value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        int64_t size = run->intervals[i].complete ? size_of(&run->intervals[i], value) : 0;
        if (size > 0)
            list[count++] = (struct sized){size, i};
    }
    if (count)
        qsort(list, count, sizeof *list, by_size);
    return count;
}

static void add_group(struct size_groups *groups, const struct sized *list, uint32_t count,
                      const struct timelines *run)
{
    struct size_group *group = &groups->items[groups->count++];
    double logs = 0;
    *group = (struct size_group){.from = list[0].size,
                                 .to = list[count - 1].size,
                                 .requests = count,
                                 .chosen = memory_zeroed(run->interval_count)};
    for (uint32_t i = 0; i < count; i++) {
        logs += log((double)list[i].size);
        group->chosen[list[i].interval] = true;
    }
    group->size = group->from == group->to ? (double)group->from : exp(logs / count);
}

/* Behind the last one of the size that the group would end in. */
static uint32_t end_of(const struct sized *list, uint32_t count, uint32_t first, uint32_t least)
{
    uint32_t end = first + least < count ? first + least : count;
    while (end < count && list[end].size == list[end - 1].size)
        end++;
    return count - end < SIZE_GROUP_LEAST ? count : end;
}

static uint32_t sizes_of(const struct sized *list, uint32_t count)
{
    uint32_t sizes = count > 0;
    for (uint32_t i = 1; i < count; i++)
        sizes += list[i].size != list[i - 1].size;
    return sizes;
}

/* Of few sizes each is a group by itself: the smallest group that may end behind one size. */
static uint32_t least_of(const struct sized *list, uint32_t count)
{
    uint32_t even = (count + SIZE_GROUPS_MOST - 1) / SIZE_GROUPS_MOST;
    uint32_t least = sizes_of(list, count) <= SIZE_GROUPS_MOST ? 1 : even;
    return least > SIZE_GROUP_LEAST ? least : SIZE_GROUP_LEAST;
}

bool size_groups_choose(struct size_groups *groups, const struct timelines *run, const char *value)
{
    struct sized *list = memory_alloc((run->interval_count + 1) * sizeof *list);
    *groups = (struct size_groups){0};
    groups->sized = gather(list, run, value);
    uint32_t least = least_of(list, groups->sized);
    for (uint32_t first = 0, end; first < groups->sized; first = end) {
        end = end_of(list, groups->sized, first, least);
        add_group(groups, &list[first], end - first, run);
    }
    memory_free(list);
    return groups->count > 0;
}

void size_groups_release(struct size_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        memory_free(groups->items[i].chosen);
    *groups = (struct size_groups){0};
}
