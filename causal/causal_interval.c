#include "causal/causal_interval.h"

#include <string.h>

#include "base/near_search.h"

struct moment {
    const struct interval *intervals;
    time_ns time;
};

static bool begins_before(const void *items, size_t i)
{
    const struct moment *moment = items;
    return moment->intervals[i].begin < moment->time;
}

uint32_t causal_interval_from(const struct timelines *run, time_ns time)
{
    const struct moment moment = {run->intervals, time};
    return (uint32_t)near_search(run->interval_count, 0, begins_before, &moment);
}

time_ns causal_interval_longest(const struct timelines *run)
{
    time_ns longest = 0;
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete && run->intervals[i].end - run->intervals[i].begin > longest)
            longest = run->intervals[i].end - run->intervals[i].begin;
    return longest;
}

bool causal_interval_is_of(const struct interval *interval, const char *type)
{
    return interval->complete && (!type || strcmp(interval->type, type) == 0);
}
