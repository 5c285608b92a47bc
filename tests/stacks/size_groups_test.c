/* stacks/size_groups.h: every request with a size is in one group, those of one size are never parted, and none has too few. */
#include <math.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "check.h"
#include "stacks/size_groups.h"

enum { MOST = 1000 };

static struct interval intervals[MOST];
static struct interval_value values[MOST][2];

/* The later of two values counts; where `size` is 0 there is none. */
static void fill(uint32_t count, int64_t (*size)(uint32_t))
{
    for (uint32_t i = 0; i < count; i++) {
        values[i][0] = (struct interval_value){"rows", 7777777};
        values[i][1] = (struct interval_value){"rows", size(i)};
        intervals[i] = (struct interval){
            .complete = true, .value_count = size(i) ? 2 : 0, .values = values[i]};
    }
}

static void check_whole(const struct size_groups *groups, uint32_t count)
{
    uint32_t in_groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t of = 0;
        for (uint32_t g = 0; g < groups->count; g++) {
            const struct size_group *group = &groups->items[g];
            int64_t size = values[i][1].value;
            of += group->chosen[i];
            CHECK(group->chosen[i] ==
                  (intervals[i].value_count && group->from <= size && size <= group->to));
        }
        CHECK(of == (intervals[i].value_count > 0));
        in_groups += of;
    }
    CHECK(in_groups == groups->sized && groups->count <= SIZE_GROUPS_MOST);
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct size_group *group = &groups->items[g];
        CHECK(group->requests >= SIZE_GROUP_LEAST || groups->count == 1);
        CHECK(group->from <= group->size * (1 + 1e-9) &&
              group->size <= (double)group->to * (1 + 1e-9));
        CHECK(!g || groups->items[g - 1].to < group->from);
    }
}

static int64_t three_sizes(uint32_t i)
{
    return i % 3 == 0 ? 0 : i % 3 == 1 ? 100 : 400;
}

static int64_t few_of_one(uint32_t i)
{
    return i < 12 ? 900 : i % 2 ? 100 : 200;
}

static int64_t all_different(uint32_t i)
{
    return 1 + (int64_t)(hash_mix(i) % 100000);
}

static int64_t mostly_one(uint32_t i)
{
    return i % 10 ? 64 : 1 + (int64_t)(hash_mix(i) % 1000);
}

static uint32_t groups_of(uint32_t count, int64_t (*size)(uint32_t))
{
    struct timelines run = {.intervals = intervals, .interval_count = count};
    struct size_groups groups;
    fill(count, size);
    CHECK(size_groups_choose(&groups, &run, "rows") == (groups.count > 0));
    check_whole(&groups, count);
    uint32_t found = groups.count;
    size_groups_release(&groups);
    return found;
}

int main(void)
{
    struct timelines run = {.intervals = intervals, .interval_count = 300};
    struct size_groups none;
    CHECK(groups_of(300, three_sizes) == 2);
    CHECK(groups_of(300, few_of_one) == 2); /* twelve are no group */
    CHECK(groups_of(800, all_different) == SIZE_GROUPS_MOST);
    CHECK(groups_of(15, all_different) == 1);
    for (uint32_t count = 1; count <= MOST; count++) {
        groups_of(count, all_different);
        groups_of(count, mostly_one);
    }
    CHECK(!size_groups_choose(&none, &run, "bytes") && none.sized == 0);
    size_groups_release(&none);
    return CHECK_DONE();
}
