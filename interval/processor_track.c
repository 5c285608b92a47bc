#include "interval/processor_track.h"

#include "symbol/kernel_name.h"

/* Threads that began alike are told apart. */
static const char *task_name(struct callee_table *callees, struct arena *arena, uint32_t task)
{
    const struct kernel_task *who = &callees->run->kernel_side->tasks[task];
    uint32_t callee = callee_of_task(callees, task); /* the items may move */
    const char *name = callees->items[callee].name;
    return who->thread == THREAD_NONE ? name : arena_printf(arena, "%s (%u)", name, who->tid);
}

static void add(struct track *track, time_ns at_ns, const char *name, bool opens)
{
    track->events[track->event_count++] =
        (struct track_event){.at_ns = at_ns, .name = name, .opens = opens};
}

static void make_track(struct track *track, const struct processor *processor, struct arena *arena,
                       struct callee_table *callees, time_ns begin, time_ns end)
{
    int64_t last = processor_use_at(processor, end), use = processor_use_at(processor, begin);
    use = use < 0 ? 0 : use;
    *track = (struct track){.tid = processor->number};
    track->events = ARENA_ARRAY(arena, struct track_event, last >= use ? 2 * (last - use + 1) : 0);
    for (; use <= last; use++) {
        time_ns from = processor->uses[use].start, to = processor->until;
        if (use + 1 < processor->count)
            to = processor->uses[use + 1].start;
        from = from < begin ? begin : from;
        to = to > end ? end : to;
        uint32_t task = processor->uses[use].task;
        if (from >= to || task == TASK_NONE || task == TASK_IDLE)
            continue;
        const char *name = task_name(callees, arena, task);
        add(track, from - begin, name, true);
        add(track, to - begin, name, false);
    }
}

/* Runs that are joined stand behind each other in time, each with processors of its own. */
static bool was_recorded(const struct processor *processor, time_ns begin, time_ns end)
{
    return processor->count && processor->uses[0].start <= end && processor->until >= begin;
}

void processor_tracks_make(struct track_view *view, struct arena *arena,
                           struct callee_table *callees, time_ns begin, time_ns end)
{
    const struct kernel_side *side = callees->run->kernel_side;
    if (!side)
        return;
    view->processors = ARENA_ARRAY(arena, struct track, side->processor_count);
    for (uint32_t p = 0; p < side->processor_count; p++)
        if (was_recorded(&side->processors[p], begin, end))
            make_track(&view->processors[view->processor_count++], &side->processors[p], arena,
                       callees, begin, end);
}
