#include "interval/choice.h"

#include <math.h>

#include "base/memory.h"

static time_ns latency(const struct timelines *run, uint32_t interval)
{
    return run->intervals[interval].end - run->intervals[interval].begin;
}

/* The result is the first of those that are as near. */
static uint32_t nearest_to(const struct interval_choice *choice, const struct timelines *run,
                           double ns)
{
    uint32_t found = 0;
    double nearest = INFINITY;
    for (uint32_t number = 0; number < choice->count; number++) {
        double off = fabs((double)latency(run, choice->intervals[number]) - ns);
        if (off < nearest)
            found = number;
        nearest = fmin(nearest, off);
    }
    return found;
}

void interval_choice_init(struct interval_choice *choice, const struct timelines *run,
                          const struct interval_summary *summary)
{
    *choice = (struct interval_choice){0};
    choice->intervals = memory_alloc(sizeof *choice->intervals * (run->interval_count + 1));
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete && latency(run, i) >= 0)
            choice->intervals[choice->count++] = i;
    choice->typical = nearest_to(choice, run, summary->p50_ns);
    choice->slow = nearest_to(choice, run, summary->p99_ns);
    choice->slowest = nearest_to(choice, run, summary->max_ns);
}

void interval_choice_release(struct interval_choice *choice)
{
    memory_free(choice->intervals);
    *choice = (struct interval_choice){0};
}
