#include "trace/off_blocks.h"

#include <stdlib.h>

#include "base/memory.h"

/* A wrapper's clock may be so often wrong where the two records are not of one wait. */
#define APART_QUANTILE 0.99

/* A piece of an off_cpu lies outside of all blocks. */
struct piece {
    time_ns start, end;
    uint32_t off;
};

struct joining {
    struct timelines *run;
    struct timeline_thread *thread;
    struct piece *pieces;
    size_t count, capacity;
    uint32_t *offs; /* by block of the wrappers */
    time_ns *apart; /* how much later than it could be something was seen */
    size_t apart_count, apart_capacity;
};

static void add_piece(struct joining *j, time_ns start, time_ns end, uint32_t off, bool beside)
{
    if (end - start > (beside ? OFF_BLOCKS_EDGE_NS : 0))
        VEC_PUSH(j->pieces, j->count, j->capacity) = (struct piece){start, end, off};
}

/* The parts of the thread's off_cpu that no block covers; `first` is the first block that ends
 * behind it. */
static void cut(struct joining *j, uint32_t index, uint32_t first)
{
    const struct off_cpu *off = &j->thread->offs[index];
    time_ns from = off->out;
    uint32_t b = first;
    for (; b < j->thread->block_count && j->thread->blocks[b].start < off->in; b++) {
        const struct block *block = &j->thread->blocks[b];
        if (block->start > from)
            add_piece(j, from, block->start, index, true);
        from = block->end > from ? block->end : from;
        j->offs[b] = index + 1;
    }
    if (from < off->in)
        add_piece(j, from, off->in, index, b > first);
}

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

static struct block block_of(const struct joining *j, const struct piece *piece)
{
    const struct off_cpu *off = &j->thread->offs[piece->off];
    uint32_t waker = kernel_task_thread(j->run, off->waker);
    if (waker != THREAD_NONE && &j->run->threads[waker] == j->thread)
        waker = THREAD_NONE;
    return (struct block){.start = piece->start,
                          .end = piece->end,
                          .operation = BLOCK_OFF_CPU,
                          .waker = waker,
                          .waker_time = clamp(off->woken, piece->start, piece->end)};
}

static void note_apart(struct joining *j, time_ns late)
{
    VEC_PUSH(j->apart, j->apart_count, j->apart_capacity) = late;
}

/* The kernel tells who woke where no wrapper does. */
static void explain(struct joining *j, struct block *block, const struct off_cpu *off, bool whole)
{
    const struct off_cpu *waking = off_with_waking(j->thread, off, block->start);
    uint32_t waker = waking ? kernel_task_thread(j->run, waking->waker) : THREAD_NONE;
    bool other = waker != THREAD_NONE && &j->run->threads[waker] != j->thread;
    j->run->kernel_side->waits_joined++;
    if (whole && off->out >= block->start && off->in <= block->end + OFF_BLOCKS_LATE_NS)
        note_apart(j, off->in - block->end);
    if (block->waker == THREAD_NONE) {
        if (!other || block->gave_up)
            return;
        block->waker = waker;
        block->waker_time = clamp(waking->woken, block->start, block->end);
        block->waker_site = block->waker_stack = block->hold = 0;
        return;
    }
    if (off->in + OFF_BLOCKS_LATE_NS < block->waker_time)
        j->run->kernel_side->waits_contradicted++;
}

/* A wait that was cut in two at a signal goes on in the next block. */
static bool is_whole(const struct timeline_thread *thread, size_t b)
{
    const struct block *block = &thread->blocks[b];
    return (b == 0 || block[-1].end < block->start) &&
           (b + 1 == thread->block_count || block[1].start > block->end);
}

static void merge(struct joining *j)
{
    struct timeline_thread *thread = j->thread;
    size_t all = thread->block_count + j->count;
    struct block *blocks = ARENA_ARRAY(&j->run->scheduler, struct block, all);
    uint32_t *offs = ARENA_ARRAY(&j->run->scheduler, uint32_t, all);
    size_t p = 0, b = 0;
    for (size_t i = 0; i < all; i++) {
        bool own = p == j->count ||
                   (b < thread->block_count && thread->blocks[b].start < j->pieces[p].start);
        blocks[i] = own ? thread->blocks[b] : block_of(j, &j->pieces[p]);
        offs[i] = own ? j->offs[b++] : j->pieces[p++].off + 1;
        if (own && offs[i])
            explain(j, &blocks[i], &thread->offs[offs[i] - 1], is_whole(thread, b - 1));
    }
    thread->blocks = blocks;
    thread->block_offs = offs;
    thread->block_count = (uint32_t)all;
}

static void join_thread(struct joining *j, struct timeline_thread *thread)
{
    j->thread = thread;
    j->count = 0;
    j->offs = memory_zeroed(sizeof *j->offs * (thread->block_count + 1));
    for (uint32_t i = 0, b = 0; i < thread->off_count; i++) {
        while (b < thread->block_count && thread->blocks[b].end <= thread->offs[i].out)
            b++;
        cut(j, i, b);
    }
    merge(j);
    memory_free(j->offs);
}

static int ascending(const void *a, const void *b)
{
    const time_ns p = *(const time_ns *)a, q = *(const time_ns *)b;
    return p < q ? -1 : p > q;
}

static time_ns apart_of(struct joining *j)
{
    if (!j->apart_count)
        return 0;
    qsort(j->apart, j->apart_count, sizeof *j->apart, ascending);
    time_ns most = j->apart[(size_t)((double)(j->apart_count - 1) * APART_QUANTILE)];
    return most > 0 ? most : 0;
}

static void join_threads(struct joining *j, uint32_t first)
{
    for (uint32_t t = first; t < j->run->thread_count; t++)
        if (j->run->threads[t].off_count)
            join_thread(j, &j->run->threads[t]);
}

static void release(struct joining *j)
{
    memory_free(j->pieces);
    memory_free(j->apart);
}

void off_blocks_join(struct timelines *run)
{
    struct joining j = {.run = run};
    if (!run->kernel_side)
        return;
    join_threads(&j, 0);
    run->kernel_side->clocks_apart = apart_of(&j);
    release(&j);
}

void off_blocks_add(struct timelines *run, uint32_t first_thread)
{
    struct joining j = {.run = run};
    join_threads(&j, first_thread);
    release(&j);
}
