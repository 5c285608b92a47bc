/* What hits of measured calls may take, and who gives up first. */
#include "sampler/point_budget.h"

#include "check.h"

#define MS UINT64_C(1000000)

static struct planned_point points[] = {{.wish = 1, .role = TRACE_POINT_CALLED},
                                        {.wish = 1, .role = TRACE_POINT_RETURNED},
                                        {.wish = 2, .role = TRACE_POINT_CALLED},
                                        {.wish = 2, .role = TRACE_POINT_RETURNED},
                                        {.wish = 3, .role = TRACE_POINT_ENTER}};
static const struct point_plan plan = {.points = points, .point_count = 5, .share = 0.02};

static void take(struct point_budget *budget, uint32_t point, int hits)
{
    for (int i = 0; i < hits; i++)
        point_budget_take(budget, point);
}

/* 1,500 calls a second take 19.5 ms of it: within the share. */
static void test_within(void)
{
    struct point_budget budget;
    uint32_t point;
    point_budget_init(&budget, &plan, 0);
    for (uint64_t ms = 2; ms < 20000; ms += 2) {
        take(&budget, 0, 3);
        take(&budget, 1, 3);
        CHECK(!point_budget_over(&budget, 2 * ms * MS, &point));
    }
    point_budget_release(&budget);
}

/* What is free is spent after 1,540 calls at once. The dear one gives up its returns, then its entries;
 * the other one and requests stay. */
static void test_over(void)
{
    struct point_budget budget;
    uint32_t point = 99;
    point_budget_init(&budget, &plan, 0);
    take(&budget, 2, 10);
    take(&budget, 3, 10);
    take(&budget, 4, 100000);
    take(&budget, 0, 1500);
    take(&budget, 1, 1500);
    CHECK(!point_budget_over(&budget, 0, &point));
    take(&budget, 1, 100);
    CHECK(point_budget_over(&budget, 0, &point) && point == 1 && budget.points[1].closed);
    CHECK(!point_budget_over(&budget, 0, &point));
    take(&budget, 0, 9999);
    CHECK(!point_budget_over(&budget, 0, &point));
    take(&budget, 0, 9);
    CHECK(point_budget_over(&budget, 0, &point) && point == 0);
    take(&budget, 3, 2000);
    CHECK(point_budget_over(&budget, 0, &point) && point == 3);
    CHECK(!point_budget_over(&budget, 0, &point));
    point_budget_release(&budget);
}

/* Without a share all is taken that is needed; what is lost took its time. */
static void test_bounds(void)
{
    struct point_budget budget;
    struct point_plan all = plan;
    uint32_t point;
    all.share = 0;
    point_budget_init(&budget, &all, 0);
    take(&budget, 0, 1000000);
    CHECK(!point_budget_over(&budget, 0, &point));
    point_budget_release(&budget);
    point_budget_init(&budget, &plan, 0);
    take(&budget, 2, 1);
    point_budget_take_lost(&budget, 10000);
    CHECK(point_budget_over(&budget, 0, &point) && point == 3);
    point_budget_release(&budget);
}

int main(void)
{
    test_within();
    test_over();
    test_bounds();
    return CHECK_DONE();
}
