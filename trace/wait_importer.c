#include "trace/hold.h"
#include "trace/importer.h"
#include "trace/waker.h"

static uint64_t take_mark(struct waker_list *list, struct loading *loading,
                          const struct trace_record *record)
{
    const struct trace_mark *mark = record->data;
    if (mark->what == VPROF_MARK_FALSE_WAKEUP)
        waker_list_add_false_wakeup(list, loading->thread);
    else if (mark->what == VPROF_MARK_ACQUIRE)
        waker_list_add_taking(list, loading->thread,
                              loading_object(loading, mark->id, TRACE_OP_USER),
                              loading_ns(loading, record->ticks));
    else
        waker_list_add_act(list, loading->thread);
    return record->ticks;
}

static uint64_t take_block(struct waker_list *list, struct loading *loading,
                           const struct trace_record *record)
{
    const struct trace_block *taken = record->data;
    uint64_t end = taken->end_ticks < record->ticks ? record->ticks : taken->end_ticks;
    if (taken->operation == TRACE_OP_SPIN) {
        loading_count_mark(loading, VPROF_MARK_SPIN_BEGIN);
        loading_count_mark(loading, VPROF_MARK_SPIN_END);
    }
    struct block block = {.start = loading_ns(loading, record->ticks),
                          .end = loading_ns(loading, end),
                          .object = loading_object(loading, taken->object, taken->operation),
                          .site = taken->site,
                          .operation = taken->operation,
                          .address = taken->object,
                          .gave_up = taken->ending == TRACE_ENDING_GAVE_UP};
    waker_list_add_block(list, loading->thread, block, taken->ending, taken->amount);
    return end;
}

static void add_release(struct waker_list *list, struct loading *loading, uint64_t ticks,
                        uint64_t address, uint32_t operation, struct waker_release release)
{
    release.time = loading_ns(loading, ticks);
    waker_list_add_release(list, loading->thread, loading_object(loading, address, operation),
                           operation, release);
}

static uint64_t take_release(struct waker_list *list, struct loading *loading,
                             const struct trace_record *record)
{
    const struct trace_release *taken = record->data;
    if (taken->operation == TRACE_OP_SPIN)
        loading_count_mark(loading, VPROF_MARK_RELEASE);
    struct waker_release release = {.site = taken->site & TRACE_PROBE_MAX,
                                    .mode = taken->mode & 0xff,
                                    .amount = taken->amount,
                                    .stack = caller_list_find(&loading->callers, taken->callers) &
                                             TIMELINE_STACK_MAX};
    add_release(list, loading, record->ticks, taken->object, taken->operation, release);
    return record->ticks;
}

/* A thread that ends lets go on who joins it. */
static uint64_t take_thread(struct waker_list *list, struct loading *loading,
                            const struct trace_record *record)
{
    const struct trace_thread_event *event = record->data;
    if (event->what == TRACE_THREAD_EXIT)
        add_release(list, loading, record->ticks, event->pthread, TRACE_OP_JOIN,
                    (struct waker_release){.mode = TRACE_RELEASE_ONE});
    return record->ticks;
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    switch (record->kind) {
    case TRACE_BLOCK:
        return take_block(state, loading, record);
    case TRACE_RELEASE:
        return take_release(state, loading, record);
    case TRACE_MARK:
        return take_mark(state, loading, record);
    case TRACE_THREAD:
        return take_thread(state, loading, record);
    default: /* what a thread does between two waits */
        waker_list_add_act(state, loading->thread);
        return record->ticks;
    }
}

static void build(void *state, struct loading *loading)
{
    waker_list_build(state, loading->run, &loading->run->waits);
}

static void move_blocks(const struct timelines *part, const struct moved *moved)
{
    for (uint32_t t = 0; t < part->thread_count; t++)
        for (uint32_t i = 0; i < part->threads[t].block_count; i++) {
            struct block *block = &part->threads[t].blocks[i];
            block->start += moved->delay;
            block->end += moved->delay;
            block->waker_time += moved->delay;
            block->waker = moved_index(block->waker, moved->thread);
            block->hold += block->hold != HOLD_NONE ? moved->hold : 0;
            block->waker_stack = moved_stack(block->waker_stack, moved) & TIMELINE_STACK_MAX;
        }
}

static struct hold moved_hold(struct hold hold, const struct moved *moved)
{
    if (hold.since != HOLD_UNKNOWN)
        hold.since += moved->delay;
    hold.until += moved->delay;
    hold.thread += moved->thread;
    hold.stack = moved_stack(hold.stack, moved);
    hold.before += hold.before != HOLD_NONE ? moved->hold : 0;
    return hold;
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    uint32_t all = 0;
    for (uint32_t p = 0; p < count; p++)
        all += parts[p].hold_count;
    run->holds = ARENA_ARRAY(&run->arena, struct hold, all);
    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t i = 0; i < parts[p].hold_count; i++)
            run->holds[run->hold_count++] = moved_hold(parts[p].holds[i], &moved[p]);
        move_blocks(&parts[p], &moved[p]);
    }
}

static void release(void *state)
{
    waker_list_release(state);
}

static const unsigned char kinds[] = {TRACE_BLOCK, TRACE_RELEASE, TRACE_MARK, TRACE_NAME,
                                      TRACE_TASK,  TRACE_THREAD,  0};

const struct importer wait_importer = {.kinds = kinds,
                                       .state_bytes = sizeof(struct waker_list),
                                       .take = take,
                                       .build = build,
                                       .join = join,
                                       .release = release};
