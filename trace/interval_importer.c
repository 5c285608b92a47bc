#include "trace/importer.h"
#include "trace/interval_list.h"

static uint64_t take_mark(struct interval_list *list, struct loading *loading,
                          const struct trace_record *record)
{
    const struct trace_mark *mark = record->data;
    loading_count_mark(loading, mark->what);
    if (mark->what == VPROF_MARK_BEGIN || mark->what == VPROF_MARK_END ||
        mark->what == VPROF_MARK_ENTER)
        interval_list_add(list, (struct interval_mark){.ticks = record->ticks,
                                                       .id = mark->id,
                                                       .thread = loading->thread,
                                                       .what = mark->what});
    return record->ticks;
}

static uint64_t take_name(struct interval_list *list, struct loading *loading,
                          const struct trace_record *record)
{
    const struct trace_name *name = record->data;
    loading_count_mark(loading, name->what);
    if (name->what == VPROF_MARK_TYPE || name->what == VPROF_MARK_VALUE)
        interval_list_tell(list,
                           (struct interval_mark){.ticks = record->ticks,
                                                  .id = name->id,
                                                  .thread = loading->thread,
                                                  .what = name->what},
                           (struct interval_value){
                               loading_name(loading, name->name, sizeof name->name), name->value});
    return record->ticks;
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    return record->kind == TRACE_MARK ? take_mark(state, loading, record)
                                      : take_name(state, loading, record);
}

static void end_process(void *state, struct loading *loading)
{
    (void)loading;
    interval_list_complete(state);
}

static void close_process(void *state, struct loading *loading)
{
    interval_list_close_process(state, loading->process, loading->first_thread,
                                loading->thread - loading->first_thread, loading->clock,
                                loading->clock_base, loading->last_ticks);
}

static void prepare(void *state)
{
    interval_list_order(state);
}

static void build(void *state, struct loading *loading)
{
    if (loading->run->process_count)
        close_process(state, loading);
    interval_list_build(state, loading->run);
}

static struct interval moved_interval(struct interval interval, const struct moved *moved)
{
    interval.process += moved->process;
    interval.begin += moved->delay;
    interval.end += moved->delay;
    interval.begin_thread += moved->thread;
    interval.end_thread += moved->thread;
    return interval;
}

static void move_labels(const struct timelines *part, const struct moved *moved)
{
    for (uint32_t t = 0; t < part->thread_count; t++)
        for (uint32_t i = 0; i < part->threads[t].label_count; i++) {
            struct label *label = &part->threads[t].labels[i];
            label->time += moved->delay;
            label->interval = moved_index(label->interval, moved->interval);
        }
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    uint32_t all = 0;
    for (uint32_t p = 0; p < count; p++)
        all += parts[p].interval_count;
    run->intervals = ARENA_ARRAY(&run->arena, struct interval, all);
    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t i = 0; i < parts[p].interval_count; i++)
            run->intervals[run->interval_count++] =
                moved_interval(parts[p].intervals[i], &moved[p]);
        move_labels(&parts[p], &moved[p]);
    }
}

static void release(void *state)
{
    interval_list_release(state);
}

static const unsigned char kinds[] = {TRACE_MARK, TRACE_NAME, 0};

const struct importer interval_importer = {.kinds = kinds,
                                           .state_bytes = sizeof(struct interval_list),
                                           .take = take,
                                           .end_process = end_process,
                                           .close_process = close_process,
                                           .prepare = prepare,
                                           .build = build,
                                           .join = join,
                                           .release = release};
