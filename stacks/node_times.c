#include "stacks/node_times.h"

#include "base/memory.h"

void node_times_init(struct node_times *times, const struct context_tree *tree)
{
    times->tree = tree;
    times->items = memory_zeroed(tree->count * sizeof *times->items);
}

void node_times_release(struct node_times *times)
{
    memory_free(times->items);
    *times = (struct node_times){0};
}

static void add_call(struct node_times *times, const struct sighted_call *call)
{
    struct node_time *time = &times->items[call->node];
    time->calls++;
    time->conservative += sighted_call_conservative(call);
    time->aggressive += sighted_call_aggressive(call);
}

/* The sample has the nodes below `common` anew. */
static void add_sample(struct node_times *times, const struct stack_moment *sample, uint32_t common)
{
    const struct context_node *nodes = times->tree->nodes;
    bool anew = sample->node != common;
    for (uint32_t node = sample->node; node != CONTEXT_NONE; node = nodes[node].parent) {
        struct node_time *time = &times->items[node];
        anew = anew && node != common;
        time->samples++;
        time->sampled_ns += sample->amount_ns;
        if (anew)
            time->variance += (double)sample->amount_ns * (double)sample->amount_ns;
    }
}

void node_times_add(struct node_times *times, const struct stack_moment *moments, size_t count,
                    const struct sighted_calls *calls)
{
    uint32_t latest = CONTEXT_ROOT;
    for (size_t i = 0; i < count; i++) {
        if (!moments[i].amount_ns)
            continue;
        add_sample(times, &moments[i], context_common(times->tree, latest, moments[i].node));
        latest = moments[i].node;
    }
    for (uint32_t c = 0; c < calls->count; c++)
        add_call(times, &calls->items[c]);
}

/* A parent stands before its children. The root is no call: what is said of it is said of all. */
void node_times_close(struct node_times *times)
{
    const struct context_tree *tree = times->tree;
    for (size_t n = 0; n < tree->count; n++) {
        struct node_time *time = &times->items[n];
        time->own_sampled_ns = time->sampled_ns;
        time->own_conservative = time->conservative;
        time->own_aggressive = time->aggressive;
    }
    for (size_t n = tree->count; n-- > 1;) {
        const struct node_time *time = &times->items[n];
        struct node_time *parent = &times->items[tree->nodes[n].parent];
        parent->own_sampled_ns -= time->sampled_ns;
        if (tree->nodes[n].parent == CONTEXT_ROOT)
            continue;
        parent->own_conservative -= time->conservative;
        parent->own_aggressive -= time->aggressive;
    }
}
