#include "interval/left_off.h"

#include "base/memory.h"
#include "trace/off_cpu.h"

static bool may_be_for_work(const struct block *block)
{
    switch (block->operation) {
    case TRACE_OP_COND:
    case TRACE_OP_SEMAPHORE:
    case TRACE_OP_SEMAPHORE_ZERO:
    case TRACE_OP_CHANNEL:
    case TRACE_OP_FUTEX:
        return true;
    default:
        return false;
    }
}

static void note_wait(struct work_waits *waits, const struct block *block)
{
    for (uint32_t i = 0; i < waits->count; i++)
        if (waits->items[i].operation == block->operation && waits->items[i].site == block->site) {
            waits->items[i].count++;
            return;
        }
    VEC_PUSH(waits->items, waits->count, waits->capacity) =
        (struct work_wait){block->operation, block->site, 1};
}

static bool begins_work(const struct timeline_thread *thread, uint32_t label)
{
    return thread->labels[label].interval != INTERVAL_NONE &&
           (label + 1 == thread->label_count ||
            thread->labels[label + 1].time > thread->labels[label].time);
}

/* The last block of [from, to) that a wrapper recorded, or NULL. */
static const struct block *last_wait(const struct timeline_thread *thread, uint32_t from,
                                     uint32_t to)
{
    while (to > from && thread->blocks[to - 1].operation == BLOCK_OFF_CPU)
        to--;
    return to > from ? &thread->blocks[to - 1] : NULL;
}

static void learn_thread(struct work_waits *waits, const struct timeline_thread *thread)
{
    uint32_t ended = 0, known = 0; /* blocks, by now and before the stretch before */
    uint32_t all = 0, kept = 0;
    for (uint32_t i = 0; i < thread->label_count; i++) {
        if (!begins_work(thread, i))
            continue;
        while (ended < thread->block_count && thread->blocks[ended].end <= thread->labels[i].time)
            ended++;
        const struct block *last = last_wait(thread, known, ended);
        if (last && may_be_for_work(last)) {
            note_wait(waits, last);
            all++;
        }
        known = ended;
    }
    for (uint32_t i = 0; i < waits->count; i++)
        if (all >= LEFT_OFF_LEAST && waits->items[i].count * LEFT_OFF_PART >= all)
            waits->items[kept++] = waits->items[i];
    waits->count = kept;
}

void left_off_init(struct left_off *left, const struct timelines *run)
{
    *left = (struct left_off){.run = run};
    left->threads = memory_zeroed(sizeof *left->threads * run->thread_count);
    for (uint32_t t = 0; t < run->thread_count; t++)
        learn_thread(&left->threads[t], &run->threads[t]);
}

void left_off_release(struct left_off *left)
{
    for (uint32_t t = 0; left->threads && t < left->run->thread_count; t++)
        memory_free(left->threads[t].items);
    memory_free(left->threads);
    *left = (struct left_off){0};
}

static bool is_for_work(const struct work_waits *waits, const struct block *block)
{
    for (uint32_t i = 0; i < waits->count; i++)
        if (waits->items[i].operation == block->operation && waits->items[i].site == block->site)
            return true;
    return false;
}

/* Where the thread began to wait for work between the two. */
static time_ns first_wait(const struct left_off *left, uint32_t thread, time_ns from, time_ns to)
{
    const struct timeline_thread *on = &left->run->threads[thread];
    const struct work_waits *waits = &left->threads[thread];
    if (!waits->count)
        return to;
    for (int64_t i = timeline_block_before(on, from); i < (int64_t)on->block_count; i++) {
        if (i < 0 || on->blocks[i].start < from)
            continue;
        if (on->blocks[i].start >= to)
            return to;
        if (is_for_work(waits, &on->blocks[i]))
            return on->blocks[i].start;
    }
    return to;
}

time_ns left_off_time(const struct left_off *left, const struct segment *segment, uint32_t taker,
                      time_ns time)
{
    time_ns end = segment->end < time ? segment->end : time;
    if (segment->thread == taker)
        return end;
    return first_wait(left, segment->thread, segment->begin, end);
}
