#include "stacks/block_stretches.h"

#include "base/memory.h"
#include "stacks/request_blocks.h"

static void add(struct block_stretches *stretches, time_ns from, time_ns to, uint32_t block)
{
    if (from < to)
        VEC_PUSH(stretches->items, stretches->count, stretches->capacity) =
            (struct block_stretch){from, to, block};
}

void block_stretches_by_time(struct block_stretches *stretches, time_ns from, time_ns until,
                             uint32_t blocks)
{
    stretches->count = 0;
    stretches->blocks = blocks;
    for (uint32_t b = 0; b < blocks; b++)
        add(stretches, b ? from + (until - from) / blocks * b : INT64_MIN,
            b + 1 < blocks ? from + (until - from) / blocks * (b + 1) : INT64_MAX, b);
}

void block_stretches_of_thread(struct block_stretches *stretches, const struct timelines *run,
                               uint32_t thread, const uint32_t *block_of, uint32_t blocks)
{
    const struct timeline_thread *of = &run->threads[thread];
    stretches->count = 0;
    stretches->blocks = blocks;
    for (uint32_t l = 0; l < of->label_count; l++) {
        const struct label *label = &of->labels[l];
        if (label->interval == INTERVAL_NONE || block_of[label->interval] == REQUEST_BLOCK_NONE)
            continue;
        time_ns end = run->intervals[label->interval].end;
        time_ns next = l + 1 < of->label_count ? label[1].time : end;
        add(stretches, label->time, next < end ? next : end, block_of[label->interval]);
    }
}

/* The first that ends behind the time. */
static size_t first_behind(const struct block_stretches *stretches, time_ns time)
{
    size_t low = 0, high = stretches->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stretches->items[middle].to > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t block_stretches_at(const struct block_stretches *stretches, time_ns time)
{
    size_t at = first_behind(stretches, time);
    bool within = at < stretches->count && stretches->items[at].from <= time;
    return within ? stretches->items[at].block : stretches->blocks;
}

void block_stretches_share(const struct block_stretches *stretches, time_ns from, time_ns to,
                           double weight, double *parts)
{
    time_ns outside = to - from;
    for (size_t i = first_behind(stretches, from);
         i < stretches->count && stretches->items[i].from < to; i++) {
        const struct block_stretch *s = &stretches->items[i];
        time_ns lo = s->from > from ? s->from : from, hi = s->to < to ? s->to : to;
        parts[s->block] += weight * (double)(hi - lo);
        outside -= hi - lo;
    }
    parts[stretches->blocks] += weight * (double)outside;
}

void block_stretches_release(struct block_stretches *stretches)
{
    memory_free(stretches->items);
    *stretches = (struct block_stretches){0};
}
