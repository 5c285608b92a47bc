#include "stacks/request_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct interval_value *values_of(const struct request *request, struct arena *arena)
{
    struct interval_value *value = NULL;
    if (request->bytes) {
        value = ARENA_NEW(arena, struct interval_value);
        *value = (struct interval_value){REQUEST_BYTES, (int64_t)request->bytes};
    }
    return value;
}

void request_set_add(struct request_set *set, const struct found_requests *list, const char *type,
                     struct arena *arena)
{
    uint32_t before = (uint32_t)set->count;
    for (size_t i = 0; i < list->count; i++) {
        const struct request *request = &list->items[i];
        VEC_PUSH(set->intervals, set->count, set->capacity) =
            (struct interval){.id = request->id,
                              .begin = request->begin,
                              .end = request->end,
                              .begin_thread = request->begin_thread,
                              .end_thread = request->end_thread,
                              .complete = request->fate == REQUEST_COMPLETE,
                              .begun_again = request->fate == REQUEST_REPLACED,
                              .value_count = request->bytes > 0,
                              .values = values_of(request, arena),
                              .type = type};
    }
    for (size_t i = 0; i < list->work_count; i++) {
        struct request_work work = list->works[i];
        work.request += before;
        VEC_PUSH(set->works, set->work_count, set->work_capacity) = work;
    }
}

/* ---- what the run has already ---- */

static void take_labels(struct request_set *set, const struct timeline_thread *thread,
                        uint32_t index, uint32_t before)
{
    for (uint32_t i = 0; i < thread->label_count; i++) {
        const struct label *label = &thread->labels[i];
        time_ns to = i + 1 < thread->label_count ? label[1].time : thread->last;
        if (label->interval != INTERVAL_NONE && to > label->time)
            VEC_PUSH(set->works, set->work_count, set->work_capacity) =
                (struct request_work){label->time, to, index, before + label->interval};
    }
}

static void take_run(struct request_set *set, const struct timelines *run)
{
    uint32_t before = (uint32_t)set->count;
    for (uint32_t i = 0; i < run->interval_count; i++)
        VEC_PUSH(set->intervals, set->count, set->capacity) = run->intervals[i];
    for (uint32_t i = 0; i < run->thread_count; i++)
        take_labels(set, &run->threads[i], i, before);
}

/* ---- intervals ---- */

static int by_begin(const void *a, const void *b, void *context)
{
    const struct interval *all = context, *p = &all[*(const uint32_t *)a],
                          *q = &all[*(const uint32_t *)b];
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    return p < q ? -1 : p > q;
}

/* The works name the intervals by their new places. */
static void order_intervals(struct request_set *set, struct timelines *run)
{
    uint32_t *order = memory_alloc((set->count + 1) * sizeof *order);
    uint32_t *place = memory_alloc((set->count + 1) * sizeof *place);
    for (uint32_t i = 0; i < set->count; i++)
        order[i] = i;
    if (set->count)
        qsort_r(order, set->count, sizeof *order, by_begin, set->intervals);
    run->intervals = ARENA_ARRAY(&run->arena, struct interval, set->count);
    run->interval_count = (uint32_t)set->count;
    for (uint32_t i = 0; i < set->count; i++) {
        run->intervals[i] = set->intervals[order[i]];
        run->intervals[i].process = run->threads[run->intervals[i].begin_thread].process;
        place[order[i]] = i;
    }
    for (size_t i = 0; i < set->work_count; i++)
        set->works[i].request = place[set->works[i].request];
    memory_free(order);
    memory_free(place);
}

/* ---- labels ---- */

/* Works that have begun and not ended, the one that the thread turned to last behind the others. */
struct turns {
    struct request_work *open;
    size_t count, capacity;
    struct label *labels;
    size_t label_count, label_capacity;
};

static int by_thread(const void *a, const void *b)
{
    const struct request_work *p = a, *q = b;
    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    if (p->to != q->to) /* the longer one is around the other */
        return p->to > q->to ? -1 : 1;
    return p->request < q->request ? -1 : p->request > q->request;
}

static void say(struct turns *turns, time_ns time)
{
    uint32_t now = turns->count ? turns->open[turns->count - 1].request : INTERVAL_NONE;
    struct label *last = turns->label_count ? &turns->labels[turns->label_count - 1] : NULL;
    if (last && last->time == time)
        last->interval = now;
    else if (last ? last->interval != now : now != INTERVAL_NONE)
        VEC_PUSH(turns->labels, turns->label_count, turns->label_capacity) =
            (struct label){time, now};
}

/* All that end by `until` do, in order of their ends. */
static void end_until(struct turns *turns, time_ns until)
{
    for (;;) {
        size_t first = turns->count;
        for (size_t i = 0; i < turns->count; i++)
            if (turns->open[i].to <= until &&
                (first == turns->count || turns->open[i].to < turns->open[first].to))
                first = i;
        if (first == turns->count)
            return;
        time_ns time = turns->open[first].to;
        memmove(&turns->open[first], &turns->open[first + 1],
                (turns->count - first - 1) * sizeof *turns->open);
        turns->count--;
        say(turns, time);
    }
}

static void label_thread(struct turns *turns, struct timelines *run,
                         const struct request_work *works, size_t count)
{
    turns->count = turns->label_count = 0;
    for (size_t i = 0; i < count; i++) {
        end_until(turns, works[i].from);
        VEC_PUSH(turns->open, turns->count, turns->capacity) = works[i];
        say(turns, works[i].from);
    }
    end_until(turns, INT64_MAX);
    struct timeline_thread *thread = &run->threads[works->thread];
    thread->labels = ARENA_ARRAY(&run->arena, struct label, turns->label_count);
    thread->label_count = (uint32_t)turns->label_count;
    for (size_t i = 0; i < turns->label_count; i++)
        thread->labels[i] = turns->labels[i];
    time_ns last = turns->labels[turns->label_count - 1].time;
    thread->first = works->from < thread->first ? works->from : thread->first;
    thread->last = last > thread->last ? last : thread->last;
}

static void label_threads(struct request_set *set, struct timelines *run)
{
    struct turns turns = {0};
    if (set->work_count)
        qsort(set->works, set->work_count, sizeof *set->works, by_thread);
    for (size_t i = 0, end; i < set->work_count; i = end) {
        for (end = i; end < set->work_count && set->works[end].thread == set->works[i].thread;)
            end++;
        label_thread(&turns, run, &set->works[i], end - i);
    }
    memory_free(turns.open);
    memory_free(turns.labels);
}

void request_set_fill(struct request_set *set, struct timelines *run)
{
    take_run(set, run);
    order_intervals(set, run);
    label_threads(set, run);
    memory_free(set->intervals);
    memory_free(set->works);
    *set = (struct request_set){0};
}
