#include "waits/short_lived.h"

#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"

struct child {
    uint32_t task, kind; /* kind: all that makes it alike */
    time_ns born, ended;
};

/* Of one kind, one after the other. */
struct place {
    uint32_t first, count;
    time_ns ended;
};

struct placing {
    struct short_lived *shorts;
    const struct vertex_table *vertices;
    struct child *children;
    size_t count, capacity;
    struct place *places; /* of the kind that is looked at */
    size_t place_count, place_capacity;
    time_ns from, until;
};

static uint64_t routine_of(const struct vertex_table *vertices, const struct kernel_task *task)
{
    return vertices->run && task->thread != THREAD_NONE
               ? vertices->run->threads[task->thread].routine
               : 0;
}

/* Its maker was seen to make it, and it was seen to end. */
static void find_children(struct placing *p)
{
    const struct kernel_side *side = p->vertices->side;
    struct intern kinds = {0};
    struct str kind = {0};
    for (uint32_t t = 1; t < side->task_count; t++) {
        const struct kernel_task *task = &side->tasks[t];
        if (task->maker == TASK_NONE || task->maker == TASK_IDLE || task->ended == INT64_MAX ||
            task->ended < task->seen || !vertex_is_of_run(p->vertices, t))
            continue;
        str_clear(&kind);
        str_printf(&kind, "%u %d %llx %s", task->maker, task->pid == task->tid,
                   (unsigned long long)routine_of(p->vertices, task), task->name);
        VEC_PUSH(p->children, p->count, p->capacity) =
            (struct child){t, intern_add(&kinds, kind.data), task->seen, task->ended};
    }
    intern_release(&kinds);
    str_release(&kind);
}

static int by_birth(const void *a, const void *b)
{
    const struct child *p = a, *q = b;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->born != q->born)
        return p->born < q->born ? -1 : 1;
    return p->task < q->task ? -1 : p->task > q->task;
}

/* The parent cannot be waited for when it is not there. */
static void add_gap(struct placing *p, const struct child *child, time_ns from, time_ns until)
{
    const struct kernel_side *side = p->vertices->side;
    uint32_t maker = side->tasks[child->task].maker;
    const struct kernel_task *parent = &side->tasks[maker];
    from = parent->maker != TASK_NONE && parent->seen > from ? parent->seen : from;
    until = parent->ended < until ? parent->ended : until;
    struct short_lived *shorts = p->shorts;
    for (uint32_t i = 0; i < side->pause_count && from < until; i++) {
        const struct kernel_pause *pause = &side->pauses[i];
        if (pause->until <= from || pause->from >= until)
            continue;
        if (pause->from > from)
            VEC_PUSH(shorts->gaps, shorts->gap_count, shorts->gap_capacity) =
                (struct short_lived_gap){from, pause->from, child->task, maker};
        from = pause->until;
    }
    if (from < until)
        VEC_PUSH(shorts->gaps, shorts->gap_count, shorts->gap_capacity) =
            (struct short_lived_gap){from, until, child->task, maker};
}

static struct place *place_for(struct placing *p, const struct child *child)
{
    for (size_t i = 0; i < p->place_count; i++)
        if (p->places[i].ended <= child->born)
            return &p->places[i];
    VEC_PUSH(p->places, p->place_count, p->place_capacity) =
        (struct place){.first = child->task, .ended = p->from};
    return &p->places[p->place_count - 1];
}

static void put(struct placing *p, const struct child *child)
{
    struct place *place = place_for(p, child);
    p->shorts->of_task[child->task] = place->first;
    add_gap(p, child, place->ended, child->born);
    place->ended = child->ended;
    place->count++;
}

/* What comes after the last ones of a kind. */
static void close_places(struct placing *p)
{
    for (size_t i = 0; i < p->place_count; i++) {
        const struct place *place = &p->places[i];
        const struct child first = {.task = place->first};
        add_gap(p, &first, place->ended, p->until);
        p->shorts->merged += place->count > 1 ? place->count : 0;
    }
    p->place_count = 0;
}

/* What each place's threads lived, by its first; 0 where that is one thread, or too little to matter. */
static time_ns *lives_of(const struct placing *p)
{
    const struct short_lived *shorts = p->shorts;
    uint32_t tasks = p->vertices->side->task_count + 1;
    uint32_t *sizes = memory_zeroed(tasks * sizeof *sizes);
    time_ns *lives = memory_zeroed(tasks * sizeof *lives);
    double least = SHORT_LIVED_LEAST * (double)(p->until - p->from);
    for (size_t i = 0; i < p->count; i++) {
        const struct child *child = &p->children[i];
        sizes[shorts->of_task[child->task]]++;
        lives[shorts->of_task[child->task]] += child->ended - child->born;
    }
    for (uint32_t t = 0; t < tasks; t++)
        if (sizes[t] < 2 || (double)lives[t] < least)
            lives[t] = 0;
    memory_free(sizes);
    return lives;
}

/* Makers may be children themselves; a place that is no virtual thread waits for nobody. */
static void keep_virtual(struct placing *p)
{
    struct short_lived *shorts = p->shorts;
    time_ns *lives = lives_of(p);
    size_t kept = 0;
    for (size_t i = 0; i < shorts->gap_count; i++) {
        struct short_lived_gap gap = shorts->gaps[i];
        gap.who = shorts->of_task[gap.who];
        gap.whom = shorts->of_task[gap.whom];
        if (lives[gap.who] && gap.who != gap.whom)
            shorts->gaps[kept++] = gap;
    }
    shorts->gap_count = kept;
    memory_free(lives);
}

void short_lived_find(struct short_lived *shorts, struct vertex_table *vertices, time_ns from,
                      time_ns until)
{
    struct placing p = {.shorts = shorts, .vertices = vertices, .from = from, .until = until};
    uint32_t tasks = vertices->side->task_count;
    *shorts = (struct short_lived){.of_task = memory_alloc((tasks + 1) * sizeof(uint32_t))};
    for (uint32_t t = 0; t < tasks; t++)
        shorts->of_task[t] = t;
    find_children(&p);
    if (p.count)
        qsort(p.children, p.count, sizeof *p.children, by_birth);
    for (size_t i = 0; i < p.count; i++) {
        if (i && p.children[i].kind != p.children[i - 1].kind)
            close_places(&p);
        put(&p, &p.children[i]);
    }
    close_places(&p);
    keep_virtual(&p);
    vertices->of_task = shorts->of_task;
    memory_free(p.children);
    memory_free(p.places);
}

void short_lived_release(struct short_lived *shorts)
{
    memory_free(shorts->of_task);
    memory_free(shorts->gaps);
    *shorts = (struct short_lived){0};
}
