#include "stacks/sighted_call.h"

#include <math.h>

#include "base/memory.h"

/* The calls that are open have the contexts from the root to that of the latest moment. */
struct finding {
    const struct context_tree *tree;
    struct sighted_calls *calls;
    uint32_t *open; /* by depth - 1 */
    size_t depth, capacity;
    uint32_t *path; /* nodes that are still to be opened, the innermost first */
    size_t path_count, path_capacity;
};

static void close_calls(struct finding *f, uint32_t depth, time_ns after)
{
    for (; f->depth > depth; f->depth--) {
        struct sighted_call *call = &f->calls->items[f->open[f->depth - 1]];
        call->after = after;
        call->open = false;
    }
}

static void open_call(struct finding *f, const struct stack_moment *moment, uint32_t node,
                      time_ns before, time_ns end)
{
    size_t count = f->calls->count;
    uint32_t parent = f->depth ? f->open[f->depth - 1] : CALL_NONE;
    VEC_PUSH(f->calls->items, count, f->calls->capacity) =
        (struct sighted_call){.node = node,
                              .parent = parent,
                              .first = moment->time,
                              .before = before,
                              .after = end,
                              .open = true};
    f->calls->count = (uint32_t)count;
    VEC_PUSH(f->open, f->depth, f->capacity) = (uint32_t)count - 1;
}

/* Those below `common` are new. */
static void open_calls(struct finding *f, const struct stack_moment *moment, uint32_t common,
                       time_ns before, time_ns end)
{
    f->path_count = 0;
    for (uint32_t node = moment->node; node != common; node = f->tree->nodes[node].parent)
        VEC_PUSH(f->path, f->path_count, f->path_capacity) = node;
    while (f->path_count)
        open_call(f, moment, f->path[--f->path_count], before, end);
}

static void see_calls(struct finding *f, const struct stack_moment *moment)
{
    for (size_t d = 0; d < f->depth; d++) {
        struct sighted_call *call = &f->calls->items[f->open[d]];
        call->last = moment->until;
        call->moments++;
    }
}

void sighted_calls_find(struct sighted_calls *calls, const struct context_tree *tree,
                        const struct stack_moment *moments, size_t count, time_ns begin,
                        time_ns end)
{
    struct finding f = {.tree = tree, .calls = calls};
    time_ns before = begin;
    *calls = (struct sighted_calls){0};
    for (size_t i = 0; i < count; i++) {
        const struct stack_moment *moment = &moments[i];
        uint32_t common = i ? stack_moments_common(tree, &moments[i - 1], moment) : CONTEXT_ROOT;
        close_calls(&f, tree->nodes[common].depth, moment->time);
        open_calls(&f, moment, common, before, end);
        see_calls(&f, moment);
        before = moment->until;
    }
    memory_free(f.open);
    memory_free(f.path);
}

void sighted_calls_release(struct sighted_calls *calls)
{
    memory_free(calls->items);
    *calls = (struct sighted_calls){0};
}

time_ns sighted_call_conservative(const struct sighted_call *call)
{
    return call->last - call->first;
}

time_ns sighted_call_aggressive(const struct sighted_call *call)
{
    return (call->open ? call->last : call->after) - call->first;
}

time_ns sighted_call_most(const struct sighted_call *call)
{
    return call->after - call->before;
}

double sighted_call_guess(const struct sighted_call *call)
{
    return ((double)sighted_call_conservative(call) + (double)sighted_call_most(call)) / 2;
}

double sighted_call_error(const struct sighted_call *call)
{
    double at_begin = (double)(call->first - call->before);
    double at_end = (double)(call->after - call->last);
    return sqrt((at_begin * at_begin + at_end * at_end) / 12);
}
