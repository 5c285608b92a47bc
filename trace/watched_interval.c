#include "trace/watched_interval.h"

#include "base/memory.h"
#include "base/near_search.h"
#include "trace/off_cpu.h"

static time_ns longest_complete(const struct timelines *run)
{
    time_ns longest = 0;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        if (interval->complete && interval->end - interval->begin > longest)
            longest = interval->end - interval->begin;
    }
    return longest;
}

struct moment {
    const struct kernel_pause *pauses;
    time_ns time;
};

static bool pause_is_over(const void *context, size_t i)
{
    const struct moment *moment = context;
    return moment->pauses[i].until <= moment->time;
}

/* The index of the first pause that ends after `time`. */
static uint32_t pause_after(const struct kernel_side *side, time_ns time)
{
    struct moment moment = {side->pauses, time};
    return (uint32_t)near_search(side->pause_count, 0, pause_is_over, &moment);
}

/* The window before the first pause began with the recording, before the run did. */
static time_ns margin_before(const struct kernel_side *side, uint32_t pause, time_ns longest)
{
    if (pause == 0)
        return longest;
    time_ns half = (side->pauses[pause].from - side->pauses[pause - 1].until) / 2;
    return longest < half ? longest : half;
}

static bool counts(const struct kernel_side *side, const struct interval *interval, time_ns longest)
{
    uint32_t next = pause_after(side, interval->begin);
    return next == side->pause_count ||
           (side->pauses[next].from != INT64_MIN &&
            interval->begin < side->pauses[next].from - margin_before(side, next, longest));
}

void watched_intervals_keep(struct timelines *run, uint32_t fewest)
{
    struct kernel_side *side = run->kernel_side;
    if (!side || !side->pause_count)
        return;
    time_ns longest = longest_complete(run);
    bool *kept = memory_zeroed(run->interval_count + 1);
    uint32_t count = 0, before = 0;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        before += run->intervals[i].complete;
        kept[i] = counts(side, &run->intervals[i], longest);
        count += run->intervals[i].complete && kept[i];
    }
    for (uint32_t i = 0; i < run->interval_count && count >= fewest; i++)
        run->intervals[i].complete &= kept[i];
    side->intervals_paused = count >= fewest ? before - count : 0;
    run->intervals_outside += side->intervals_paused;
    memory_free(kept);
}
