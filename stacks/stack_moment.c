#include "stacks/stack_moment.h"

#include "base/memory.h"

/* What the recorder saw of an off that had not ended ends with the recording. */
static time_ns end_of(const struct sighting *sighting, const struct kernel_task *task)
{
    if (sighting->kind == SIGHTING_RAN)
        return sighting->time;
    return sighting->off < task->off_count ? task->offs[sighting->off].in : task->open.in;
}

void stack_moments_take(struct stack_moments *moments, const struct task_sightings *seen,
                        const struct kernel_task *task)
{
    for (size_t i = 0; i < seen->count; i++) {
        const struct sighting *sighting = &seen->items[i];
        bool unknown = sighting->node == CONTEXT_NONE;
        moments->unknown += unknown;
        moments->cut += !unknown && sighting->cut;
        if (unknown || sighting->cut)
            continue;
        time_ns before = moments->count ? moments->items[moments->count - 1].until : INT64_MIN;
        time_ns time = sighting->time > before ? sighting->time : before;
        time_ns until = end_of(sighting, task);
        VEC_PUSH(moments->items, moments->count, moments->capacity) = (struct stack_moment){
            .time = time,
            .until = until > time ? until : time,
            .node = sighting->node,
            .amount_ns = sighting->kind == SIGHTING_RAN ? sighting->amount_ns : 0};
    }
}

void stack_moments_release(struct stack_moments *moments)
{
    memory_free(moments->items);
    *moments = (struct stack_moments){0};
}

struct stack_moments *stack_moments_of_run(const struct timelines *run,
                                           const struct sightings *seen)
{
    const struct kernel_side *side = run->kernel_side;
    struct stack_moments *moments = memory_zeroed((run->thread_count + 1) * sizeof *moments);
    for (uint32_t t = 1; t < seen->task_count; t++) {
        uint32_t thread = kernel_task_thread(run, t);
        if (thread != THREAD_NONE)
            stack_moments_take(&moments[thread], &seen->tasks[t], &side->tasks[t]);
    }
    return moments;
}

void stack_moments_release_all(struct stack_moments *moments, const struct timelines *run)
{
    for (uint32_t t = 0; t < run->thread_count; t++)
        stack_moments_release(&moments[t]);
    memory_free(moments);
}

uint32_t context_common(const struct context_tree *tree, uint32_t a, uint32_t b)
{
    const struct context_node *nodes = tree->nodes;
    while (nodes[a].depth > nodes[b].depth)
        a = nodes[a].parent;
    while (nodes[b].depth > nodes[a].depth)
        b = nodes[b].parent;
    while (a != b) {
        a = nodes[a].parent;
        b = nodes[b].parent;
    }
    return a;
}

/* How many of the first `depth` calls are in common by the addresses that they were made from. */
static uint32_t common_depth(const struct stack_moment *a, const struct stack_moment *b,
                             uint32_t depth)
{
    for (uint32_t d = 0; d + 1 < depth; d++)
        if (a->calls[d] && b->calls[d] && a->calls[d] != b->calls[d])
            return d + 1;
    return depth;
}

uint32_t stack_moments_common(const struct context_tree *tree, const struct stack_moment *a,
                              const struct stack_moment *b)
{
    uint32_t node = context_common(tree, a->node, b->node);
    if (!a->calls || !b->calls)
        return node;
    uint32_t depth = common_depth(a, b, tree->nodes[node].depth);
    while (tree->nodes[node].depth > depth)
        node = tree->nodes[node].parent;
    return node;
}
