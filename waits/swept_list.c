#include "waits/swept_list.h"

#include "base/memory.h"
#include "waits/wake_in_vain.h"

struct sweeping {
    struct wait_list *swept;
    const struct vertex_table *vertices;
    size_t capacity;
};

/* By task: its thread was woken in vain. NULL: none was. Of several tasks it is the one whose blocks were
 * joined with the thread's. */
static bool *tasks_in_vain(const struct vertex_table *vertices)
{
    const struct timelines *run = vertices->run;
    bool *tasks = memory_zeroed(vertices->count + 1);
    bool any = false;
    for (uint32_t t = 0; run && t < vertices->side->task_count; t++) {
        const struct kernel_task *task = &vertices->side->tasks[t];
        if (task->thread == THREAD_NONE || run->threads[task->thread].offs != task->offs)
            continue;
        tasks[t] = wakes_in_vain_any(&run->threads[task->thread]);
        any |= tasks[t];
    }
    if (any)
        return tasks;
    memory_free(tasks);
    return NULL;
}

/* The waits of one task, taken out of all. */
struct taken {
    struct wait *items;
    size_t count, capacity;
};

static struct taken *take_out(struct sweeping *s, const bool *in_vain)
{
    struct wait_list *swept = s->swept;
    struct taken *taken = memory_zeroed((s->vertices->side->task_count + 1) * sizeof *taken);
    size_t kept = 0;
    for (size_t i = 0; i < swept->count; i++) {
        struct wait wait = swept->items[i];
        struct taken *of = &taken[wait.who];
        if (in_vain[wait.who])
            VEC_PUSH(of->items, of->count, of->capacity) = wait;
        else
            swept->items[kept++] = wait;
    }
    swept->count = kept;
    return taken;
}

static uint64_t merge_in_vain(struct sweeping *s, const bool *in_vain)
{
    const struct kernel_side *side = s->vertices->side;
    struct taken *taken = take_out(s, in_vain);
    uint64_t merged = 0;
    for (uint32_t t = 0; t < side->task_count; t++) {
        struct taken *of = &taken[t];
        if (of->count)
            merged += wakes_in_vain_merge(&s->vertices->run->threads[side->tasks[t].thread],
                                          of->items, &of->count);
        for (size_t i = 0; i < of->count; i++)
            s->swept->items[s->swept->count++] = of->items[i];
        memory_free(of->items);
    }
    memory_free(taken);
    return merged;
}

static uint32_t vertex_of(const struct sweeping *s, uint32_t vertex)
{
    return vertex < s->vertices->side->task_count ? vertex_of_task(s->vertices, vertex) : vertex;
}

static void merge_shorts(struct sweeping *s, const struct short_lived *shorts)
{
    struct wait_list *swept = s->swept;
    for (size_t i = 0; i < swept->count; i++) {
        swept->items[i].who = vertex_of(s, swept->items[i].who);
        swept->items[i].whom = vertex_of(s, swept->items[i].whom);
    }
    for (size_t i = 0; i < shorts->gap_count; i++) {
        const struct short_lived_gap *gap = &shorts->gaps[i];
        VEC_PUSH(swept->items, swept->count, s->capacity) =
            (struct wait){gap->from, gap->until, gap->who, gap->whom};
    }
}

void swept_list_make(struct wait_list *swept, const struct wait_list *waits,
                     const struct vertex_table *vertices, const struct short_lived *shorts,
                     uint64_t *in_vain)
{
    struct sweeping s = {.swept = swept, .vertices = vertices, .capacity = waits->count + 1};
    bool *tasks = tasks_in_vain(vertices);
    *swept = (struct wait_list){0};
    *in_vain = 0;
    if (!tasks && !shorts->merged)
        return;
    *swept = *waits;
    swept->items = memory_alloc(s.capacity * sizeof *swept->items);
    for (size_t i = 0; i < waits->count; i++)
        swept->items[i] = waits->items[i];
    if (tasks)
        *in_vain = merge_in_vain(&s, tasks);
    if (shorts->merged)
        merge_shorts(&s, shorts);
    wait_list_order(swept, vertices->count);
    memory_free(tasks);
}
