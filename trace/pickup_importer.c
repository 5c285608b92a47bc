#include "trace/importer.h"
#include "trace/pickup_list.h"

static uint64_t take_task(struct pickup_list *list, struct loading *loading,
                          const struct trace_record *record)
{
    const struct trace_task *task = record->data;
    struct pickup_event event = {.time = loading_ns(loading, record->ticks),
                                 .own = object_space_private(loading->objects, task->task),
                                 .thread = loading->thread,
                                 .site = task->site,
                                 .enqueue = task->what == VPROF_TASK_ENQUEUE};
    if (!object_space_shared(loading->objects, task->task, &event.shared))
        event.shared = 0;
    if (task->what == VPROF_TASK_ENQUEUE || task->what == VPROF_TASK_DEQUEUE)
        pickup_list_add_task(list, event);
    return record->ticks;
}

/* A thread is told of by its own events. */
static void note_thread(struct timeline_thread *thread, const struct trace_thread_event *told)
{
    if (told->what == TRACE_THREAD_EXIT && told->token)
        thread->routine = told->token;
    if (told->what != TRACE_THREAD_CREATE && told->pthread)
        thread->pthread = told->pthread;
}

static uint64_t take_thread(struct pickup_list *list, struct loading *loading,
                            const struct trace_record *record)
{
    const struct trace_thread_event *told = record->data;
    struct pickup_event event = {.time = loading_ns(loading, record->ticks),
                                 .own = object_space_private(loading->objects, told->token),
                                 .thread = loading->thread};
    if (told->what == TRACE_THREAD_CREATE) {
        event.site = told->site;
        event.stack = caller_list_find(&loading->callers, told->pthread);
        pickup_list_add_create(list, event);
    }
    if (told->what == TRACE_THREAD_STARTED && told->token)
        pickup_list_add_start(list, event);
    note_thread(&loading->run->threads[loading->thread], told);
    return record->ticks;
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    return record->kind == TRACE_TASK ? take_task(state, loading, record)
                                      : take_thread(state, loading, record);
}

static void build(void *state, struct loading *loading)
{
    pickup_list_build(state, loading->run, &loading->run->tasks);
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    (void)run;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t t = 0; t < parts[p].thread_count; t++)
            for (uint32_t i = 0; i < parts[p].threads[t].pickup_count; i++) {
                struct pickup *pickup = &parts[p].threads[t].pickups[i];
                pickup->time += moved[p].delay;
                pickup->creation_time += moved[p].delay;
                pickup->creator = moved_index(pickup->creator, moved[p].thread);
                pickup->creator_stack = moved_stack(pickup->creator_stack, &moved[p]);
            }
}

static void release(void *state)
{
    pickup_list_release(state);
}

static const unsigned char kinds[] = {TRACE_TASK, TRACE_THREAD, 0};

const struct importer pickup_importer = {.kinds = kinds,
                                         .state_bytes = sizeof(struct pickup_list),
                                         .take = take,
                                         .build = build,
                                         .join = join,
                                         .release = release};
