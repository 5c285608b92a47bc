#include "waits/gap_sums.h"

#include "base/memory.h"
#include "base/near_search.h"

/* So many waits lie between two borders. */
enum { BORDER_WAITS = 64 };

void part_times_add(struct part_times *times, uint32_t part, time_ns ns)
{
    if (part >= times->count) {
        size_t count = 2 * (size_t)part + 16;
        times->of = memory_resize(times->of, sizeof *times->of * count);
        for (size_t i = times->count; i < count; i++)
            times->of[i] = 0;
        times->count = count;
    }
    times->of[part] += ns;
}

void gap_sums_init(struct gap_sums *sums, const struct timelines *run, gap_collect *collect,
                   gap_take *take, void *context)
{
    *sums =
        (struct gap_sums){run, memory_zeroed(sizeof(struct gap_thread) * (run->thread_count + 1)),
                          collect, take, context};
}

void gap_sums_release(struct gap_sums *sums)
{
    for (uint32_t t = 0; t < sums->run->thread_count; t++) {
        for (uint32_t b = 0; b < sums->threads[t].count; b++)
            memory_free(sums->threads[t].borders[b].before);
        memory_free(sums->threads[t].borders);
    }
    memory_free(sums->threads);
    *sums = (struct gap_sums){0};
}

static void keep(struct gap_border *border, const struct part_times *times)
{
    border->before = memory_alloc(sizeof *border->before * (times->count + 1));
    for (uint32_t p = 0; p < times->count; p++)
        if (times->of[p])
            border->before[border->count++] = (struct part_time){p, times->of[p]};
}

static void make(struct gap_sums *sums, uint32_t index)
{
    const struct timeline_thread *thread = &sums->run->threads[index];
    struct gap_thread *made = &sums->threads[index];
    struct part_times times = {0};
    made->count = thread->block_count / BORDER_WAITS;
    made->borders = memory_zeroed(sizeof *made->borders * (made->count + 1));
    for (uint32_t b = 0; b < made->count; b++) {
        struct gap_border *border = &made->borders[b];
        border->time = thread->blocks[b * BORDER_WAITS].start;
        if (b)
            sums->collect(sums->context, index, border[-1].time, border->time, &times);
        keep(border, &times);
    }
    memory_free(times.of);
}

struct moment {
    const struct gap_border *borders;
    time_ns time;
};

static bool border_is_before(const void *context, size_t i)
{
    const struct moment *moment = context;
    return moment->borders[i].time < moment->time;
}

static uint32_t borders_before(const struct gap_thread *thread, time_ns time)
{
    struct moment moment = {thread->borders, time};
    return (uint32_t)near_search(thread->count, thread->count, border_is_before, &moment);
}

static void take_all(const struct gap_sums *sums, const struct gap_border *border, time_ns sign)
{
    for (uint32_t i = 0; i < border->count; i++)
        sums->take(sums->context, border->before[i].part, sign * border->before[i].ns);
}

bool gap_sums_within(struct gap_sums *sums, uint32_t thread, time_ns *lo, time_ns *hi)
{
    struct gap_thread *of = &sums->threads[thread];
    if (sums->run->threads[thread].block_count < 2 * BORDER_WAITS)
        return false;
    if (!of->borders)
        make(sums, thread);
    uint32_t first = borders_before(of, *lo), last = borders_before(of, *hi + 1);
    if (last < first + 2)
        return false;
    take_all(sums, &of->borders[last - 1], 1);
    take_all(sums, &of->borders[first], -1);
    *lo = of->borders[first].time;
    *hi = of->borders[last - 1].time;
    return true;
}
