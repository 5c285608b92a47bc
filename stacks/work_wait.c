#include "stacks/work_wait.h"

#include <string.h>

#include "base/memory.h"
#include "stacks/asking_call.h"

static bool is_function(const struct context_tree *tree, uint32_t node)
{
    return tree->nodes[node].depth > 1 && tree->frames[tree->nodes[node].frame].kind != FRAME_NONE;
}

static const struct context_frame *frame_of(const struct context_tree *tree, uint32_t node)
{
    return &tree->frames[tree->nodes[node].frame];
}

uint32_t context_told_as(const struct context_tree *tree, uint32_t node)
{
    uint32_t innermost = CONTEXT_NONE; /* of the stripped program's */
    for (uint32_t n = node; is_function(tree, n); n = tree->nodes[n].parent) {
        const struct context_frame *frame = frame_of(tree, n);
        if (innermost != CONTEXT_NONE &&
            strcmp(frame->object, frame_of(tree, innermost)->object) != 0)
            return innermost;
        if (frame->kind != FRAME_KERNEL && frame->function[0] != '[')
            return n;
        if (frame->kind == FRAME_PROGRAM && frame->start && innermost == CONTEXT_NONE)
            innermost = n;
    }
    return innermost != CONTEXT_NONE ? innermost : node;
}

/* What the wait is told of. */
static const char *function_of(const struct work_waits *waits, uint32_t node)
{
    const struct context_tree *tree = &waits->times->fold.tree;
    return frame_of(tree, context_told_as(tree, node))->function;
}

/* The system call tells it where the libraries' functions have no names, or there are none. */
static bool asks_for_work(const struct work_waits *waits, uint32_t node)
{
    const struct context_tree *tree = &waits->times->fold.tree;
    uint32_t n = node;
    for (; is_function(tree, n) && frame_of(tree, n)->kind == FRAME_KERNEL;
         n = tree->nodes[n].parent)
        if (asking_call_is(frame_of(tree, n)->function))
            return true;
    return is_function(tree, n) && asking_call_is(function_of(waits, n));
}

static bool takes_lock(const char *function)
{
    static const char *const parts[] = {"mutex", "rwlock", "lll_lock", "spin_lock"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(function, parts[i]))
            return true;
    return false;
}

static bool could_be_work(const struct work_waits *waits, uint32_t group, uint32_t node)
{
    return asks_for_work(waits, node) ||
           (waits->hardly_runs[group] && !takes_lock(function_of(waits, node)));
}

/* What another program gives it, or answers, is that one's time. Of processes that are all alike none gives the
 * others work: they are in each other's way. */
static bool is_for_thread(const struct work_waits *waits, uint32_t group,
                          const struct context_reason *reason)
{
    uint32_t of = waits->times->whys.items[reason->reason].whom;
    if (of == REASON_NOBODY)
        return could_be_work(waits, group, reason->node);
    const struct thread_group *own = &waits->groups->items[group],
                              *whom = &waits->groups->items[of];
    if (whom->client || (whom->of_run && strcmp(whom->process, own->process) != 0))
        return true;
    bool alike = of == group && own->main && own->threads > 1;
    return !alike && could_be_work(waits, group, reason->node);
}

bool work_wait_is(const struct work_waits *waits, uint32_t group,
                  const struct context_reason *reason)
{
    switch (waits->times->whys.items[reason->reason].cause) {
    case OFF_NETWORK:
        return true;
    case OFF_THREAD:
        return is_for_thread(waits, group, reason);
    case OFF_TIMER:
    case OFF_UNKNOWN:
    case OFF_INTERRUPT:
        return could_be_work(waits, group, reason->node);
    case OFF_LOCK:
    case OFF_READ:
    case OFF_WRITE:
    case OFF_RUNNABLE:
    case OFF_CAUSES:
        break;
    }
    return false;
}

bool work_wait_is_for_others(const struct work_waits *waits, const struct context_reason *reason)
{
    const struct off_reason *why = &waits->times->whys.items[reason->reason];
    return why->cause == OFF_THREAD && why->whom != REASON_NOBODY &&
           waits->groups->items[why->whom].of_run && !takes_lock(function_of(waits, reason->node));
}

void work_waits_init(struct work_waits *waits, const struct context_times *times,
                     const struct thread_groups *groups)
{
    *waits = (struct work_waits){times, groups, memory_zeroed(groups->count + 1)};
    for (uint32_t g = 0; g < groups->count; g++) {
        if (!groups->items[g].of_run)
            continue;
        const struct context_sum *sum = &times->sums[times->group_node[g]];
        waits->hardly_runs[g] =
            (double)sum->total[TIME_RAN] < WORK_LEAST_RAN * (double)context_time_total(sum);
    }
}

void work_waits_release(struct work_waits *waits)
{
    memory_free(waits->hardly_runs);
    *waits = (struct work_waits){0};
}
