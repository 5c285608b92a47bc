/* trace/hold.h: what a thread took and gives back, the last first; and who had it during a wait. */
#include "check.h"

#include "trace/hold.h"

enum { DEEP = 100 };

static void check_recursive(void)
{
    struct hold_takings takings = {0};
    hold_takings_add(&takings, 1, 7, 10);
    hold_takings_add(&takings, 1, 9, 15);
    hold_takings_add(&takings, 1, 7, 20);
    CHECK(hold_takings_end(&takings, 1, 7) == 20);
    CHECK(hold_takings_end(&takings, 1, 7) == 10);
    CHECK(hold_takings_end(&takings, 1, 7) == HOLD_UNKNOWN);
    CHECK(hold_takings_end(&takings, 1, 9) == 15);
    hold_takings_add(&takings, 1, 7, 30);
    CHECK(hold_takings_end(&takings, 2, 7) == HOLD_UNKNOWN); /* another thread's */
    hold_takings_release(&takings);
}

/* Never given back: of those that are too many the latest counts. */
static void check_deep(void)
{
    struct hold_takings takings = {0};
    for (int i = 1; i <= DEEP; i++)
        hold_takings_add(&takings, 1, 7, i);
    CHECK(hold_takings_end(&takings, 1, 7) == DEEP);
    CHECK(hold_takings_end(&takings, 1, 7) == 63);
    hold_takings_release(&takings);
}

/* Thread 1 waits from 100 to 200: 2 had it until 130, nobody until 140, 3 until 190. */
static void check_parts(void)
{
    struct hold holds[] = {{.since = 90, .until = 130, .thread = 2, .before = HOLD_NONE},
                           {.since = 140, .until = 190, .thread = 3, .before = 1}};
    const struct timelines run = {.holds = holds, .hold_count = 2};
    const struct block whole = {.start = 100, .end = 200, .waker = 3, .waker_time = 190, .hold = 2};
    struct block part = block_last_part(&run, &whole);
    CHECK(part.start == 140 && part.end == 200 && part.waker == 3 && part.waker_time == 190);
    CHECK(block_part_before(&run, &whole, &part));
    CHECK(part.start == 100 && part.end == 140 && part.waker == 2 && part.waker_time == 130);
    CHECK(!block_part_before(&run, &whole, &part));
}

int main(void)
{
    check_recursive();
    check_deep();
    check_parts();
    return CHECK_DONE();
}
