#include <stdlib.h>

#include "base/memory.h"
#include "trace/experiment.h"
#include "trace/importer.h"

struct spent_list {
    struct target_time *items;
    size_t count, capacity;
};

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    const struct trace_spent *spent = record->data;
    struct spent_list *list = state;
    VEC_PUSH(list->items, list->count, list->capacity) =
        (struct target_time){loading_ns(loading, record->ticks), (int64_t)spent->spent_ns,
                             loading->thread, record->kind == TRACE_APART};
    return record->ticks;
}

static int by_time(const void *a, const void *b)
{
    const struct target_time *p = a, *q = b;
    return (p->time > q->time) - (p->time < q->time);
}

static void build(void *state, struct loading *loading)
{
    struct spent_list *list = state;
    (void)loading;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_time);
}

/* Where the experiments are is known now. */
static void finish(void *state, struct loading *loading)
{
    struct spent_list *list = state;
    struct experiments *experiments = loading->run->experiments;
    if (!experiments)
        return;
    experiments->spent = list->items;
    experiments->spent_count = (uint32_t)list->count;
    arena_adopt(&loading->run->experiment_arena, list->items);
    list->items = NULL;
}

static void release(void *state)
{
    struct spent_list *list = state;
    memory_free(list->items);
}

static const unsigned char kinds[] = {TRACE_SPENT, TRACE_APART, 0};

const struct importer spent_importer = {.kinds = kinds,
                                        .state_bytes = sizeof(struct spent_list),
                                        .take = take,
                                        .build = build,
                                        .finish = finish,
                                        .release = release};
