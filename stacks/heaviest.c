#include "stacks/heaviest.h"

#include <string.h>

#include "base/memory.h"
#include "stacks/asking_call.h"

struct search {
    const struct context_times *times;
    const struct thread_groups *groups;
    struct heavy_function *functions;
    size_t count, capacity;
    struct hash_map of; /* group << 32 | frame -> 1 + function */
    bool *hardly_runs;  /* by group */
};

/* ---- whose time it is ---- */

static const struct context_frame *frame_of(const struct context_times *times, uint32_t node)
{
    return &times->fold.tree.frames[times->fold.tree.nodes[node].frame];
}

static bool is_function(const struct context_times *times, uint32_t node)
{
    return times->fold.tree.nodes[node].depth > 1 && frame_of(times, node)->kind != FRAME_NONE;
}

/* What stands for the node: its next caller that has a name, and is not the kernel's; or itself. */
static uint32_t told_as(const struct context_times *times, uint32_t node)
{
    const struct context_node *nodes = times->fold.tree.nodes;
    for (uint32_t n = node; is_function(times, n); n = nodes[n].parent)
        if (frame_of(times, n)->kind != FRAME_KERNEL && frame_of(times, n)->function[0] != '[')
            return n;
    return node;
}

static struct heavy_function *function_of(struct search *s, uint32_t node)
{
    uint32_t group = context_group_of(s->times, node);
    uint32_t frame = s->times->fold.tree.nodes[node].frame;
    uint64_t *known = hash_map_put(&s->of, (uint64_t)group << 32 | frame);
    if (!*known) {
        VEC_PUSH(s->functions, s->count, s->capacity) =
            (struct heavy_function){.group = group, .frame = frame, .node = node};
        *known = s->count;
    }
    return &s->functions[*known - 1];
}

static void add_times(struct search *s)
{
    const struct context_times *times = s->times;
    time_ns *in_node = memory_zeroed(times->fold.tree.count * sizeof *in_node);
    for (uint32_t n = 1; n < times->fold.tree.count; n++) {
        if (!is_function(times, n))
            continue;
        struct heavy_function *function = function_of(s, told_as(times, n));
        uint32_t told = told_as(times, n);
        function->time += context_time_own(&times->sums[n]);
        function->ran += times->sums[n].own[TIME_RAN];
        in_node[told] += context_time_own(&times->sums[n]);
        if (in_node[told] > function->in_node) {
            function->node = told;
            function->in_node = in_node[told];
        }
    }
    memory_free(in_node);
}

/* ---- why ---- */

/* The system call tells it where the libraries' functions have no names, or there are none. */
static bool asks_for_work(const struct context_times *times, uint32_t node)
{
    const struct context_node *nodes = times->fold.tree.nodes;
    uint32_t n = node;
    for (; is_function(times, n) && frame_of(times, n)->kind == FRAME_KERNEL; n = nodes[n].parent)
        if (asking_call_is(frame_of(times, n)->function))
            return true;
    return is_function(times, n) && asking_call_is(frame_of(times, told_as(times, n))->function);
}

static bool takes_lock(const char *function)
{
    static const char *const parts[] = {"mutex", "rwlock", "lll_lock", "spin_lock"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(function, parts[i]))
            return true;
    return false;
}

static bool could_be_work(const struct search *s, const struct heavy_function *function,
                          uint32_t node)
{
    const char *name = s->times->fold.tree.frames[function->frame].function;
    return asks_for_work(s->times, node) || (s->hardly_runs[function->group] && !takes_lock(name));
}

/* What another program gives it, or answers, is that one's time. Of processes that are all alike none gives the
 * others work: they are in each other's way. */
static bool is_for_thread(const struct search *s, const struct heavy_function *function,
                          const struct context_reason *reason)
{
    const struct off_reason *why = &s->times->whys.items[reason->reason];
    const struct thread_group *own = &s->groups->items[function->group];
    if (why->whom == REASON_NOBODY)
        return could_be_work(s, function, reason->node);
    const struct thread_group *whom = &s->groups->items[why->whom];
    if (whom->client || (whom->of_run && strcmp(whom->process, own->process) != 0))
        return true;
    bool alike = why->whom == function->group && own->main && own->threads > 1;
    return !alike && could_be_work(s, function, reason->node);
}

static bool is_for_work(const struct search *s, const struct heavy_function *function,
                        const struct context_reason *reason)
{
    switch (s->times->whys.items[reason->reason].cause) {
    case OFF_NETWORK:
        return true;
    case OFF_THREAD:
        return is_for_thread(s, function, reason);
    case OFF_TIMER:
    case OFF_UNKNOWN:
    case OFF_INTERRUPT:
        return could_be_work(s, function, reason->node);
    case OFF_LOCK:
    case OFF_READ:
    case OFF_WRITE:
    case OFF_RUNNABLE:
    case OFF_CAUSES:
        break;
    }
    return false;
}

/* The sums of one function's reasons, the longest of which are kept. */
static void gather_reasons(struct search *s, struct heavy_function *function)
{
    const struct context_times *times = s->times;
    struct hash_map sums = {0};
    for (size_t i = 0; i < times->reason_count; i++) {
        const struct context_reason *reason = &times->reasons[i];
        if (reason->own && is_function(times, reason->node) &&
            function_of(s, told_as(times, reason->node)) == function)
            *hash_map_put(&sums, reason->reason) += (uint64_t)reason->own;
    }
    for (uint32_t turn = 0; turn < HEAVIEST_REASONS; turn++) {
        struct hash_map_entry *longest = NULL;
        for (size_t i = 0; i < sums.capacity; i++)
            if (sums.entries[i].used && sums.entries[i].value &&
                (!longest || sums.entries[i].value > longest->value))
                longest = &sums.entries[i];
        if (!longest)
            break;
        function->reasons[function->reason_count++] =
            (struct context_reason){.node = function->node,
                                    .reason = (uint32_t)longest->key,
                                    .own = (time_ns)longest->value};
        longest->value = 0;
    }
    hash_map_release(&sums);
}

static void add_work(struct search *s)
{
    for (size_t i = 0; i < s->times->reason_count; i++) {
        const struct context_reason *reason = &s->times->reasons[i];
        if (!reason->own || !is_function(s->times, reason->node))
            continue;
        struct heavy_function *function = function_of(s, told_as(s->times, reason->node));
        if (is_for_work(s, function, reason))
            function->work += reason->own;
    }
}

/* ---- the heaviest ---- */

static time_ns wall_of(const struct context_times *times, uint32_t group)
{
    return context_time_total(&times->sums[times->group_node[group]]);
}

static void find_groups(struct search *s)
{
    s->hardly_runs = memory_zeroed(s->groups->count + 1);
    for (uint32_t g = 0; g < s->groups->count; g++) {
        if (!s->groups->items[g].of_run)
            continue;
        time_ns ran = s->times->sums[s->times->group_node[g]].total[TIME_RAN];
        s->hardly_runs[g] = (double)ran < HEAVIEST_LEAST_RAN * (double)wall_of(s->times, g);
    }
}

/* NULL: there is none that counts. */
static struct heavy_function *most(const struct search *s, bool work, double least)
{
    struct heavy_function *found = NULL;
    for (size_t i = 0; i < s->count; i++) {
        struct heavy_function *function = &s->functions[i];
        time_ns time = work ? function->time : function->time - function->work;
        time_ns best = found ? work ? found->time : found->time - found->work : 0;
        if (time > best && (double)time >= least * (double)wall_of(s->times, function->group))
            found = function;
    }
    return found;
}

/* Where the threads of the group wait longest for work. */
static struct heavy_function *most_work(const struct search *s, const struct heavy_function *beside)
{
    struct heavy_function *found = NULL;
    for (size_t i = 0; i < s->count; i++) {
        struct heavy_function *function = &s->functions[i];
        if (function->group == beside->group && function->work &&
            (!found || function->work > found->work))
            found = function;
    }
    return found;
}

void heaviest_find(struct heaviest *heaviest, const struct context_times *times,
                   const struct thread_groups *groups)
{
    struct search s = {.times = times, .groups = groups};
    *heaviest = (struct heaviest){.first.node = CONTEXT_NONE, .work.node = CONTEXT_NONE};
    find_groups(&s);
    add_times(&s);
    add_work(&s);
    struct heavy_function *first = most(&s, false, HEAVIEST_LEAST);
    if (!first)
        first = most(&s, true, 0);
    if (first) {
        struct heavy_function *work = most_work(&s, first);
        gather_reasons(&s, first);
        heaviest->first = *first;
        heaviest->wall = wall_of(times, first->group);
        if (work && work != first)
            heaviest->work = *work;
    }
    memory_free(s.functions);
    hash_map_release(&s.of);
    memory_free(s.hardly_runs);
}
