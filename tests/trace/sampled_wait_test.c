/* sampled_wait.h: a stack is of the time off that begins nearest to it; of who was preempted, where that is asked for. */
#include "check.h"

#include "trace/sampled_wait.h"

#define US INT64_C(1000)

static struct off_cpu offs[] = {
    {.out = 100 * US, .woken = 100 * US, .in = 110 * US, .waker = TASK_NONE, .cause = OFF_RUNNABLE},
    {.out = 150 * US, .woken = 900 * US, .in = 901 * US, .waker = 2, .cause = OFF_THREAD},
    {.out = 930 * US, .woken = 990 * US, .in = 995 * US, .waker = 2, .cause = OFF_THREAD},
};
static struct kernel_task tasks[] = {
    {.tid = 0}, {.pid = 7, .tid = 7, .offs = offs, .off_count = 3}, {.pid = 9, .tid = 9}};
static const struct kernel_side side = {.tasks = tasks, .task_count = 3};

static const struct wait_stack seen[] = {
    {.time = 98 * US, .pid = 7, .tid = 7, .one_in = 1},              /* it is preempted */
    {.time = 152 * US, .pid = 7, .tid = 7, .one_in = 1},             /* it waits */
    {.time = 895 * US, .pid = 9, .tid = 9, .woken = 7, .one_in = 1}, /* 9 wakes it */
    {.time = 931 * US, .pid = 7, .tid = 7, .one_in = 4},             /* it waits again, */
    {.time = 929 * US, .pid = 7, .tid = 7, .one_in = 2},  /* and was watched more closely */
    {.time = 3000 * US, .pid = 7, .tid = 7, .one_in = 1}, /* of nothing */
    {.time = 3000 * US, .pid = 9, .tid = 9, .woken = 7, .one_in = 1}, /* likewise */
};

static bool is(const struct sampled_wait *wait, int stack, int off)
{
    return wait->stack == &seen[stack] && wait->off == &offs[off] && wait->who == 1;
}

int main(void)
{
    const struct wait_stacks stacks = {.items = (struct wait_stack *)seen,
                                       .count = sizeof seen / sizeof *seen};
    struct sampled_waits waits;
    sampled_waits_fill(&waits, &side, &stacks, false);
    CHECK(waits.count == 3 && waits.unmatched == 2 && waits.unmatched_wakings == 1);
    CHECK(is(&waits.items[0], 1, 1) && is(&waits.items[1], 2, 1) && is(&waits.items[2], 4, 2));
    sampled_waits_release(&waits);
    sampled_waits_fill(&waits, &side, &stacks, true);
    CHECK(waits.count == 4 && waits.unmatched == 2 && waits.unmatched_wakings == 1);
    CHECK(is(&waits.items[0], 0, 0) && is(&waits.items[1], 1, 1));
    CHECK(is(&waits.items[2], 2, 1) && is(&waits.items[3], 4, 2));
    sampled_waits_release(&waits);
    return CHECK_DONE();
}
