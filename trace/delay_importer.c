#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/near_search.h"
#include "trace/experiment.h"
#include "trace/importer.h"

/* A thread's delays follow each other. */
struct delay_part {
    uint32_t thread, count;
    size_t first;
};

struct delay_list {
    struct thread_delay *delays;
    size_t count, capacity;
    struct delay_part *parts;
    size_t part_count, part_capacity;
    struct visit *visits;
    size_t visit_count, visit_capacity;
};

static struct delay_part *part_of(struct delay_list *list, uint32_t thread)
{
    struct delay_part *last = list->part_count ? &list->parts[list->part_count - 1] : NULL;
    if (last && last->thread == thread)
        return last;
    VEC_PUSH(list->parts, list->part_count, list->part_capacity) =
        (struct delay_part){.thread = thread, .first = list->count};
    return &list->parts[list->part_count - 1];
}

static void add_delay(struct delay_list *list, uint32_t thread, time_ns time, int64_t delay_ns)
{
    struct delay_part *part = part_of(list, thread);
    int64_t before = part->count ? list->delays[list->count - 1].delay_ns : 0;
    if (delay_ns == before)
        return;
    VEC_PUSH(list->delays, list->count, list->capacity) = (struct thread_delay){time, delay_ns};
    part->count++;
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    const struct trace_mark *mark = record->data;
    const struct trace_name *name = record->data;
    struct delay_list *list = state;
    if (record->kind == TRACE_MARK) {
        if (mark->delay_ns)
            add_delay(list, loading->thread, loading_ns(loading, record->ticks),
                      (int64_t)mark->delay_ns);
    } else if (name->what == VPROF_MARK_PROGRESS) {
        time_ns time = loading_ns(loading, record->ticks);
        if (name->value)
            add_delay(list, loading->thread, time, name->value);
        VEC_PUSH(list->visits, list->visit_count, list->visit_capacity) =
            (struct visit){time, name->value, (uint32_t)name->id, loading->thread,
                           loading_name(loading, name->name, sizeof name->name)};
    }
    return record->ticks;
}

static int by_time(const void *a, const void *b)
{
    const struct visit *p = a, *q = b;
    return (p->time > q->time) - (p->time < q->time);
}

/* Others build their arrays meanwhile: this one changes theirs when they are done. */
static void finish(void *state, struct loading *loading)
{
    struct delay_list *list = state;
    struct timelines *run = loading->run;
    if (!run->experiments)
        return;
    for (size_t i = 0; i < list->part_count; i++) {
        struct timeline_thread *thread = &run->threads[list->parts[i].thread];
        thread->delays = list->delays + list->parts[i].first;
        thread->delay_count = list->parts[i].count;
    }
    if (list->visit_count)
        qsort(list->visits, list->visit_count, sizeof *list->visits, by_time);
    run->experiments->visits = list->visits;
    run->experiments->visit_count = (uint32_t)list->visit_count;
    arena_adopt(&run->experiment_arena, list->visits);
    arena_adopt(&run->experiment_arena, list->delays);
    list->visits = NULL;
    list->delays = NULL;
}

struct moment {
    const struct thread_delay *delays;
    time_ns time;
};

static bool is_until(const void *moment, size_t i)
{
    const struct moment *m = moment;
    return m->delays[i].time <= m->time;
}

int64_t thread_delay_at(const struct timeline_thread *thread, time_ns time)
{
    const struct moment moment = {thread->delays, time};
    size_t until = near_search(thread->delay_count, 0, is_until, &moment);
    return until ? thread->delays[until - 1].delay_ns : 0;
}

static void release(void *state)
{
    struct delay_list *list = state;
    memory_free(list->delays);
    memory_free(list->parts);
    memory_free(list->visits);
}

static const unsigned char kinds[] = {TRACE_MARK, TRACE_NAME, 0};

const struct importer delay_importer = {.kinds = kinds,
                                        .state_bytes = sizeof(struct delay_list),
                                        .take = take,
                                        .finish = finish,
                                        .release = release};
