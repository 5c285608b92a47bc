#include "stacks/node_times.h"

#include <math.h>

#include "base/memory.h"
#include "stacks/sample_error.h"

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

static void add_sample(struct node_times *times, const struct stack_moment *sample)
{
    const struct context_node *nodes = times->tree->nodes;
    for (uint32_t node = sample->node; node != CONTEXT_NONE; node = nodes[node].parent) {
        times->items[node].samples++;
        times->items[node].sampled_ns += sample->amount_ns;
    }
}

static void add_errors(struct node_times *times, const struct sample_errors *errors)
{
    times->squares += errors->squares;
    for (size_t i = 0; i < errors->count; i++) {
        const struct sampled_node *of = &errors->nodes[errors->touched[i]];
        times->items[errors->touched[i]].boundaries += of->boundaries;
        times->items[errors->touched[i]].variance += of->variance;
    }
}

void node_times_add(struct node_times *times, const struct stack_moment *moments, size_t count,
                    const struct sighted_calls *calls)
{
    struct sample_errors errors;
    sample_errors_init(&errors, times->tree);
    for (size_t i = 0; i < count; i++) {
        if (!moments[i].amount_ns)
            continue;
        add_sample(times, &moments[i]);
        sample_errors_add(&errors, moments[i].node, moments[i].amount_ns);
    }
    sample_errors_close(&errors);
    add_errors(times, &errors);
    for (uint32_t c = 0; c < calls->count; c++)
        add_call(times, &calls->items[c]);
    sample_errors_release(&errors);
}

static double variance_if_alike(const struct node_time *time, const struct node_time *all,
                                double squares)
{
    return sample_errors_alike(time->samples, time->boundaries, all->samples,
                               all->samples ? squares / (double)all->samples : 0);
}

/* A parent stands before its children. The root is no call: what is said of it is said of all. */
void node_times_close(struct node_times *times)
{
    const struct context_tree *tree = times->tree;
    for (size_t n = 0; n < tree->count; n++) {
        struct node_time *time = &times->items[n];
        time->variance = fmin(time->variance,
                              variance_if_alike(time, &times->items[CONTEXT_ROOT], times->squares));
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
