#include "stacks/work_wait.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

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

static bool asks_for_work(const char *function)
{
    static const char *const names[] = {
        "epoll_wait", "epoll_pwait", "epoll_pwait2", "__epoll_wait", "poll",        "__poll",
        "ppoll",      "__ppoll",     "select",       "__select",     "pselect",     "__pselect",
        "accept",     "accept4",     "__accept",     "__accept4",    "sigwaitinfo", "sigtimedwait",
        "wait4",      "__wait4",     "waitpid",      "__waitpid",    "waitid",      "__waitid"};
    return STR_IS_ONE_OF(function, names);
}

static bool takes_lock(const char *function)
{
    static const char *const parts[] = {"mutex", "rwlock", "lll_lock", "spin_lock"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(function, parts[i]))
            return true;
    return false;
}

bool work_wait_is(const struct work_waits *waits, uint32_t group, const char *function,
                  uint32_t reason)
{
    const struct off_reason *why = &waits->times->whys.items[reason];
    bool usual = asks_for_work(function) || (waits->hardly_runs[group] && !takes_lock(function));
    switch (why->cause) {
    case OFF_NETWORK:
        return true;
    case OFF_THREAD:
        return usual || (why->whom != REASON_NOBODY && waits->groups->items[why->whom].client);
    case OFF_TIMER:
    case OFF_UNKNOWN:
    case OFF_INTERRUPT:
        return usual;
    case OFF_LOCK:
    case OFF_READ:
    case OFF_WRITE:
    case OFF_RUNNABLE:
    case OFF_CAUSES:
        break;
    }
    return false;
}

bool work_wait_is_for_others(const struct work_waits *waits, const char *function, uint32_t reason)
{
    const struct off_reason *why = &waits->times->whys.items[reason];
    return why->cause == OFF_THREAD && why->whom != REASON_NOBODY &&
           waits->groups->items[why->whom].of_run && !takes_lock(function);
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
