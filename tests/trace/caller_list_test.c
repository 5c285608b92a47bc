/* trace/caller_list.h: lists in parts, equal ones, numbers that are used again. */
#include "check.h"

#include "trace/caller_list.h"

static struct caller_list list;

static void add(unsigned number, bool more, uint64_t first, unsigned count)
{
    struct trace_callers record = {.number = (uint16_t)number, .more = more};
    for (unsigned i = 0; i < count; i++)
        record.address[i] = first + i;
    caller_list_add(&list, &record);
}

static bool is_stack(const struct timelines *run, uint32_t stack, uint32_t process, uint64_t first,
                     uint32_t count)
{
    const struct caller_stack *s = &run->stacks[stack];
    bool same = stack > 0 && stack < run->stack_count && s->process == process && s->count == count;
    for (uint32_t i = 0; same && i < count; i++)
        same = s->addresses[i] == first + i;
    return same;
}

int main(void)
{
    struct timelines run = {0};
    caller_list_begin_log(&list, 0);
    CHECK(caller_list_find(&list, 0) == 0 && caller_list_find(&list, 1) == 0);
    add(1, false, 100, 2);
    uint32_t two = caller_list_find(&list, 1);
    add(2, true, 100, 6);
    CHECK(caller_list_find(&list, 2) == 0); /* half of it */
    add(2, false, 106, 3);
    uint32_t nine = caller_list_find(&list, 2);
    add(3, false, 100, 2);
    CHECK(two && caller_list_find(&list, 3) == two);
    add(1, false, 500, 1); /* the number again */
    uint32_t one = caller_list_find(&list, 1);
    caller_list_begin_log(&list, 1); /* of another process, whose addresses mean something else */
    CHECK(caller_list_find(&list, 1) == 0);
    add(1, false, 100, 2);
    uint32_t other = caller_list_find(&list, 1);
    CHECK(other != two && caller_list_find(&list, UINT64_MAX) == 0);
    add(4, false, 0, 0); /* empty */
    CHECK(caller_list_find(&list, 4) == 0);
    for (unsigned i = 0; i < 30; i++) /* longer than is kept */
        add(5, i < 29, 1000 + 6 * i, 6);
    uint32_t longest = caller_list_find(&list, 5);
    caller_list_finish(&list, &run);
    caller_list_release(&list);
    CHECK(is_stack(&run, two, 0, 100, 2) && is_stack(&run, nine, 0, 100, 9));
    CHECK(is_stack(&run, one, 0, 500, 1) && is_stack(&run, other, 1, 100, 2));
    CHECK(is_stack(&run, longest, 1, 1000, CALLER_LIST_MOST));
    arena_release(&run.arena);
    return CHECK_DONE();
}
