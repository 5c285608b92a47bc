#include "waits/user_wait.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/off_blocks.h"

/* Of several tasks the one that the thread's `offs` are of. */
void user_waits_init(struct user_waits *user, const struct vertex_table *vertices)
{
    const struct timelines *run = vertices->run;
    *user = (struct user_waits){0};
    if (!run)
        return;
    user->task_of = memory_alloc((run->thread_count + 1) * sizeof *user->task_of);
    for (uint32_t t = 0; t < run->thread_count; t++)
        user->task_of[t] = TASK_NONE;
    for (uint32_t t = 0; t < vertices->side->task_count; t++) {
        const struct kernel_task *task = &vertices->side->tasks[t];
        if (task->thread != THREAD_NONE && (user->task_of[task->thread] == TASK_NONE ||
                                            run->threads[task->thread].offs == task->offs))
            user->task_of[task->thread] = t;
    }
}

void user_waits_release(struct user_waits *user)
{
    memory_free(user->task_of);
    *user = (struct user_waits){0};
}

/* ---- wakes in vain ---- */

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
    struct waits_of_task *waits;
    size_t read, write;
};

static void keep_until(struct merging *m, time_ns time)
{
    struct wait *items = m->waits->items;
    while (m->read < m->waits->count && items[m->read].begin < time)
        items[m->write++] = items[m->read++];
}

/* All waits in [from, until] are one, for whom the last one is. */
static bool merge(struct merging *m, time_ns from, time_ns until)
{
    struct wait *items = m->waits->items;
    keep_until(m, from);
    size_t first = m->read, after = first;
    while (after < m->waits->count && items[after].end <= until)
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

static void merge_wakes_in_vain(struct user_waits *user, const struct timeline_thread *thread,
                                struct waits_of_task *waits)
{
    struct merging m = {.waits = waits};
    for (uint32_t b = 0; b < thread->block_count && thread->block_offs; b++) {
        uint64_t in_vain;
        if (!thread->blocks[b].in_vain)
            continue;
        uint32_t last = end_of_wait(thread, b, &in_vain);
        uint32_t off = last < thread->block_count ? thread->block_offs[last] : 0;
        const struct off_cpu *woken =
            off_with_waking(thread, off ? &thread->offs[off - 1] : NULL, thread->blocks[b].start);
        if (woken && merge(&m, first_out(thread, off, thread->blocks[b].start), woken->woken))
            user->in_vain += in_vain;
        b = last < thread->block_count ? last : b;
    }
    keep_until(&m, INT64_MAX);
    waits->count = m.write;
}

/* ---- spins ---- */

static int by_beginning(const void *a, const void *b)
{
    const struct wait *p = a, *q = b;
    return p->begin < q->begin ? -1 : p->begin > q->begin;
}

/* Between the waits that are there already, the first `known` of them; those before *past end before it. */
static void add_spin(struct waits_of_task *waits, size_t known, size_t *past, struct wait spin)
{
    time_ns until = spin.end;
    while (*past < known && waits->items[*past].end <= spin.begin)
        ++*past;
    for (size_t i = *past; i < known && waits->items[i].begin < until; i++) {
        struct wait other = waits->items[i];
        spin.end = other.begin;
        if (spin.end > spin.begin)
            VEC_PUSH(waits->items, waits->count, waits->capacity) = spin;
        spin.begin = other.end;
    }
    spin.end = until;
    if (spin.end > spin.begin)
        VEC_PUSH(waits->items, waits->count, waits->capacity) = spin;
}

static void add_spins(struct user_waits *user, const struct vertex_table *vertices,
                      const struct timeline_thread *thread, uint32_t who,
                      struct waits_of_task *waits)
{
    size_t known = waits->count, past = 0;
    uint32_t unknown = vertex_of_kind(vertices, VERTEX_UNKNOWN);
    for (uint32_t b = 0; b < thread->block_count; b++) {
        const struct block *block = &thread->blocks[b];
        if (block->operation != TRACE_OP_SPIN)
            continue;
        uint32_t holder = block->waker == THREAD_NONE ? TASK_NONE : user->task_of[block->waker];
        struct wait spin = {block->start, block->end, who, unknown};
        if (holder != TASK_NONE) {
            spin.end = block->waker_time;
            spin.whom = holder;
        }
        user->spins++;
        add_spin(waits, known, &past, spin);
    }
    if (waits->count > known)
        qsort(waits->items, waits->count, sizeof *waits->items, by_beginning);
}

void user_waits_apply(struct user_waits *user, const struct vertex_table *vertices, uint32_t task,
                      struct waits_of_task *waits)
{
    uint32_t number = vertices->side->tasks[task].thread;
    if (!vertices->run || number == THREAD_NONE || user->task_of[number] != task)
        return;
    const struct timeline_thread *thread = &vertices->run->threads[number];
    merge_wakes_in_vain(user, thread, waits);
    add_spins(user, vertices, thread, task, waits);
}
