#include "waits/wake_in_vain.h"

#include "trace/off_blocks.h"

/* The block with which the wait that `first` begins is over; *in_vain counts those before it. The number of
 * blocks: there is none. */
static uint32_t end_of_wait(const struct timeline_thread *thread, uint32_t first, uint64_t *in_vain)
{
    const struct block *begin = &thread->blocks[first];
    *in_vain = 0;
    for (uint32_t b = first; b < thread->block_count; b++) {
        const struct block *block = &thread->blocks[b];
        if (block->object != begin->object || block->operation != begin->operation)
            continue;
        if (!block->in_vain)
            return b;
        ++*in_vain;
    }
    return thread->block_count;
}

/* The waits are gone through once: those before `read` stand before `write`. */
struct merging {
    struct wait *items;
    size_t count, read, write;
};

static void keep_until(struct merging *m, time_ns time)
{
    while (m->read < m->count && m->items[m->read].begin < time)
        m->items[m->write++] = m->items[m->read++];
}

/* All waits in [from, until] are one, for whom the last one is. */
static bool merge(struct merging *m, time_ns from, time_ns until)
{
    struct wait *items = m->items;
    keep_until(m, from);
    size_t first = m->read, after = first;
    while (after < m->count && items[after].end <= until)
        after++;
    if (after < first + 2)
        return false;
    struct wait whole = items[after - 1];
    whole.begin = items[first].begin;
    items[m->write++] = whole;
    m->read = after;
    return true;
}

/* When the thread lost its processor first, of the offs back from the last one. */
static time_ns first_out(const struct timeline_thread *thread, uint32_t off, time_ns start)
{
    time_ns first = start;
    while (off-- > 0 && thread->offs[off].out + OFF_BLOCKS_EDGE_NS >= start)
        first = thread->offs[off].out;
    return first;
}

bool wakes_in_vain_any(const struct timeline_thread *thread)
{
    for (uint32_t b = 0; b < thread->block_count; b++)
        if (thread->blocks[b].in_vain)
            return true;
    return false;
}

uint64_t wakes_in_vain_merge(const struct timeline_thread *thread, struct wait *items,
                             size_t *count)
{
    struct merging m = {.items = items, .count = *count};
    uint64_t merged = 0;
    for (uint32_t b = 0; b < thread->block_count && thread->block_offs; b++) {
        uint64_t in_vain;
        if (!thread->blocks[b].in_vain)
            continue;
        uint32_t last = end_of_wait(thread, b, &in_vain);
        uint32_t off = last < thread->block_count ? thread->block_offs[last] : 0;
        const struct off_cpu *woken =
            off_with_waking(thread, off ? &thread->offs[off - 1] : NULL, thread->blocks[b].start);
        if (woken && merge(&m, first_out(thread, off, thread->blocks[b].start), woken->woken))
            merged += in_vain;
        b = last < thread->block_count ? last : b;
    }
    keep_until(&m, INT64_MAX);
    *count = m.write;
    return merged;
}
