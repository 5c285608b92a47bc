#include "sampler/point_budget.h"

#include "base/memory.h"

static uint32_t cost_of(uint8_t role)
{
    return role == TRACE_POINT_CALLED     ? POINT_CALLED_NS
           : role == TRACE_POINT_RETURNED ? POINT_RETURNED_NS
                                          : 0;
}

void point_budget_init(struct point_budget *budget, const struct point_plan *plan, uint64_t now_ns)
{
    *budget = (struct point_budget){
        .points = memory_zeroed((plan->point_count + 1) * sizeof *budget->points),
        .count = plan->point_count,
        .share = plan->share,
        .left_ns = (double)POINT_BUDGET_FREE_NS,
        .at_ns = now_ns};
    for (size_t i = 0; i < plan->point_count; i++)
        budget->points[i] =
            (struct point_cost){.wish = plan->points[i].wish,
                                .hit_ns = cost_of(plan->points[i].role),
                                .returns = plan->points[i].role == TRACE_POINT_RETURNED};
}

void point_budget_release(struct point_budget *budget)
{
    memory_free(budget->points);
    *budget = (struct point_budget){0};
}

void point_budget_take(struct point_budget *budget, uint32_t point)
{
    struct point_cost *cost = &budget->points[point];
    cost->recent_ns += cost->hit_ns;
    budget->left_ns -= (double)cost->hit_ns;
}

void point_budget_take_lost(struct point_budget *budget, uint64_t hits)
{
    budget->left_ns -= (double)(hits * POINT_CALLED_NS);
}

static void forget(struct point_budget *budget)
{
    for (size_t i = 0; i < budget->count; i++)
        budget->points[i].recent_ns = 0;
    budget->left_ns = (double)POINT_BUDGET_FREE_NS;
}

static void grow(struct point_budget *budget, uint64_t now_ns)
{
    if (now_ns > budget->at_ns)
        budget->left_ns += budget->share * (double)(now_ns - budget->at_ns);
    budget->at_ns = now_ns > budget->at_ns ? now_ns : budget->at_ns;
    if (budget->left_ns >= (double)POINT_BUDGET_FREE_NS)
        forget(budget);
}

static uint64_t recent_of(const struct point_budget *budget, uint32_t wish)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < budget->count; i++)
        sum += budget->points[i].wish == wish ? budget->points[i].recent_ns : 0;
    return sum;
}

/* The open point of the wish that took most; its returns before its entries. `count`: there is none. */
static size_t dearest(const struct point_budget *budget)
{
    size_t best = budget->count;
    uint64_t most = 0;
    for (size_t i = 0; i < budget->count; i++) {
        const struct point_cost *cost = &budget->points[i];
        uint64_t recent = recent_of(budget, cost->wish);
        if (!cost->hit_ns || cost->closed || !recent || recent < most ||
            (recent == most && !cost->returns))
            continue;
        best = i;
        most = recent;
    }
    return best;
}

bool point_budget_over(struct point_budget *budget, uint64_t now_ns, uint32_t *point)
{
    if (!(budget->share > 0))
        return false;
    grow(budget, now_ns);
    size_t found = budget->left_ns < 0 ? dearest(budget) : budget->count;
    if (found == budget->count)
        return false;
    budget->points[found].closed = true;
    *point = (uint32_t)found;
    forget(budget);
    return true;
}
