#include "plain_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 64 };

/* A stack as text would show it. */
struct plain_stack {
    int depth;
    const char *names[DEEP];
    uint64_t sites[DEEP];
};

static struct plain_stack plain(const struct context_tree *tree, const struct stack_moment *moment)
{
    struct plain_stack stack = {0};
    for (uint32_t n = moment->node; n; n = tree->nodes[n].parent)
        stack.depth++;
    int at = stack.depth;
    for (uint32_t n = moment->node; n; n = tree->nodes[n].parent)
        stack.names[--at] = tree->frames[tree->nodes[n].frame].function;
    for (int d = 0; moment->calls && d < stack.depth; d++)
        stack.sites[d] = moment->calls[d];
    return stack;
}

/* The call at depth d of the one is that of the other, if nothing says no. */
static int same_call(const struct plain_stack *a, const struct plain_stack *b, int d)
{
    if (d >= a->depth || d >= b->depth)
        return 0;
    for (int i = 0; i <= d; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return 0;
    for (int i = 0; i < d; i++)
        if (a->sites[i] != 0 && b->sites[i] != 0 && a->sites[i] != b->sites[i])
            return 0;
    return 1;
}

static int is_as_said(const struct sighted_call *call, const struct stack_moment *moments,
                      size_t count, size_t first, size_t last, time_ns begin, time_ns end)
{
    time_ns until = moments[last].until, from = moments[first].time;
    time_ns before = first ? moments[first - 1].until : begin;
    time_ns after = last + 1 < count ? moments[last + 1].time : end;
    time_ns aggressive = (last + 1 < count ? after : until) - from;
    return call->first == from && call->last == until && call->before == before &&
           call->after == after && call->moments == last - first + 1 &&
           sighted_call_aggressive(call) == aggressive &&
           sighted_call_conservative(call) == until - from &&
           sighted_call_most(call) == after - before;
}

int plain_calls_differ(const struct sighted_calls *calls, const struct context_tree *tree,
                       const struct stack_moment *moments, size_t count, time_ns begin, time_ns end)
{
    struct plain_stack *stacks = calloc(count + 1, sizeof *stacks);
    int wrong = 0;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        stacks[i] = plain(tree, &moments[i]);
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < stacks[i].depth; d++) {
            if (i && same_call(&stacks[i - 1], &stacks[i], d))
                continue;
            size_t last = i;
            while (last + 1 < count && same_call(&stacks[last], &stacks[last + 1], d))
                last++;
            if (found >= calls->count ||
                !is_as_said(&calls->items[found], moments, count, i, last, begin, end)) {
                if (!wrong++)
                    printf("call %zu, of moments %zu to %zu, depth %d, is not as said\n", found, i,
                           last, d);
            }
            found++;
        }
    free(stacks);
    return wrong + (found != calls->count);
}
