#include "driver/loop/recorded_calls.h"

#include "base/memory.h"
#include "trace/span_walk_run.h"

struct count {
    time_ns from, until;
    uint32_t probe_count;
    uint64_t *by_probe;
};

/* A call that began earlier is counted where it began. */
static uint64_t count_call(void *context, const struct walked_call *call,
                           const struct walk_open *around, struct walk_open *innermost)
{
    struct count *count = context;
    (void)around;
    (void)innermost;
    bool begins = !call->part || SPAN_PART_IS_FIRST(call->part);
    if (call->probe < count->probe_count && call->start >= count->from && begins)
        count->by_probe[call->probe]++;
    return 0;
}

static void find_stretch(struct count *count, const struct timelines *run)
{
    count->from = INT64_MAX;
    count->until = INT64_MIN;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        if (!interval->complete)
            continue;
        count->from = interval->begin < count->from ? interval->begin : count->from;
        count->until = interval->end > count->until ? interval->end : count->until;
    }
}

static void walk_threads(struct count *count, const struct timelines *run)
{
    struct span_walk walk;
    span_walk_init(&walk, run);
    for (uint32_t t = 0; t < run->thread_count; t++)
        span_walk_run(&walk, &run->threads[t], count->from, count->until, 0, count_call, count);
    span_walk_release(&walk);
}

void recorded_calls_count(struct recorded_calls *calls, const struct timelines *run,
                          const struct function_table *table)
{
    struct count count = {.probe_count = table->probe_count};
    count.by_probe = memory_zeroed((table->probe_count + 1) * sizeof *count.by_probe);
    *calls = (struct recorded_calls){0};
    calls->of = memory_zeroed((table->function_count + 1) * sizeof *calls->of);
    find_stretch(&count, run);
    if (count.from < count.until) {
        calls->stretch_ns = count.until - count.from;
        walk_threads(&count, run);
    }
    for (uint32_t i = 1; i < table->probe_count; i++) {
        const struct probe_info *probe = &table->probes[i];
        uint32_t function = probe->kind == PROBE_FUNCTION ? probe->function : probe->within;
        calls->all += count.by_probe[i];
        if (function != FUNCTION_NONE)
            calls->of[function] += count.by_probe[i];
    }
    memory_free(count.by_probe);
}

void recorded_calls_release(struct recorded_calls *calls)
{
    memory_free(calls->of);
    *calls = (struct recorded_calls){0};
}
