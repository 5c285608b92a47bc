#include "stacks/function_time.h"

#include <stdlib.h>

#include "base/memory.h"

static time_ns own_of(const struct function_time *function)
{
    return function->own[TIME_RAN] + function->own[TIME_OFF];
}

static time_ns total_of(const struct function_time *function)
{
    return function->total[TIME_RAN] + function->total[TIME_OFF];
}

static bool is_below_itself(const struct context_tree *tree, uint32_t node)
{
    uint32_t frame = tree->nodes[node].frame;
    for (uint32_t n = tree->nodes[node].parent; n != CONTEXT_NONE; n = tree->nodes[n].parent)
        if (tree->nodes[n].frame == frame)
            return true;
    return false;
}

static void add_node(struct function_time *function, const struct context_times *times,
                     uint32_t node)
{
    const struct context_sum *sum = &times->sums[node];
    bool below = is_below_itself(&times->fold.tree, node);
    for (int k = TIME_RAN; k <= TIME_OFF; k++) {
        function->own[k] += sum->own[k];
        function->own_variance[k] += sum->own_variance[k];
        function->total[k] += below ? 0 : sum->total[k];
        function->variance[k] += below ? 0 : sum->variance[k];
    }
    function->own_samples += sum->own_samples;
    function->contexts++;
    if (function->contexts == 1 ||
        context_time_own(sum) > context_time_own(&times->sums[function->heaviest]))
        function->heaviest = node;
}

static int by_own(const void *a, const void *b)
{
    const struct function_time *p = a, *q = b;
    if (own_of(p) != own_of(q))
        return own_of(p) > own_of(q) ? -1 : 1;
    if (total_of(p) != total_of(q))
        return total_of(p) > total_of(q) ? -1 : 1;
    return p->frame < q->frame ? -1 : p->frame > q->frame;
}

struct by_total {
    time_ns total;
    uint32_t index;
};

static int by_total(const void *a, const void *b)
{
    const struct by_total *p = a, *q = b;
    if (p->total != q->total)
        return p->total > q->total ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void order_by_total(struct function_times *functions)
{
    struct by_total *order = memory_alloc((functions->count + 1) * sizeof *order);
    functions->by_total = memory_alloc((functions->count + 1) * sizeof *functions->by_total);
    for (size_t i = 0; i < functions->count; i++)
        order[i] = (struct by_total){total_of(&functions->items[i]), (uint32_t)i};
    if (functions->count)
        qsort(order, functions->count, sizeof *order, by_total);
    for (size_t i = 0; i < functions->count; i++)
        functions->by_total[i] = order[i].index;
    memory_free(order);
}

static void add_layer(struct function_times *functions, const struct context_times *times,
                      uint32_t node)
{
    const struct context_tree *tree = &times->fold.tree;
    enum frame_kind kind =
        node == CONTEXT_ROOT ? FRAME_NONE : tree->frames[tree->nodes[node].frame].kind;
    for (int k = 0; k < CONTEXT_TIMES; k++)
        functions->layer[kind][k] += times->sums[node].own[k];
}

void function_times_fill(struct function_times *functions, const struct context_times *times)
{
    const struct context_tree *tree = &times->fold.tree;
    uint32_t *of_frame = memory_zeroed((tree->frame_count + 1) * sizeof *of_frame);
    *functions = (struct function_times){0};
    for (uint32_t n = 0; n < tree->count; n++) {
        uint32_t frame = tree->nodes[n].frame;
        add_layer(functions, times, n);
        if (n == CONTEXT_ROOT || tree->frames[frame].kind == FRAME_NONE ||
            !context_time_total(&times->sums[n]))
            continue;
        if (!of_frame[frame]) {
            VEC_PUSH(functions->items, functions->count, functions->capacity) =
                (struct function_time){.frame = frame};
            of_frame[frame] = (uint32_t)functions->count;
        }
        add_node(&functions->items[of_frame[frame] - 1], times, n);
    }
    if (functions->count)
        qsort(functions->items, functions->count, sizeof *functions->items, by_own);
    order_by_total(functions);
    memory_free(of_frame);
}

void function_times_release(struct function_times *functions)
{
    memory_free(functions->items);
    memory_free(functions->by_total);
    *functions = (struct function_times){0};
}
