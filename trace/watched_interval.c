#include "trace/watched_interval.h"

#include "base/memory.h"
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

/* The index of the first pause that ends after `time`. */
static uint32_t pause_after(const struct kernel_side *side, time_ns time)
{
    uint32_t low = 0, high = side->pause_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (side->pauses[middle].until <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
