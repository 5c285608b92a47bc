#include "stacks/heaviest.h"

#include "base/memory.h"
#include "stacks/work_wait.h"

struct search {
    const struct context_times *times;
    const struct thread_groups *groups;
    struct heavy_function *functions;
    size_t count, capacity;
    struct hash_map of; /* group << 32 | frame -> 1 + function */
    struct work_waits waits;
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
        uint32_t told = context_told_as(&times->fold.tree, n);
        struct heavy_function *function = function_of(s, told);
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

/* The sums of one function's reasons, the longest of which are kept. */
static void gather_reasons(struct search *s, struct heavy_function *function)
{
    const struct context_times *times = s->times;
    struct hash_map sums = {0};
    for (size_t i = 0; i < times->reason_count; i++) {
        const struct context_reason *reason = &times->reasons[i];
        if (reason->own && is_function(times, reason->node) &&
            function_of(s, context_told_as(&times->fold.tree, reason->node)) == function)
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
        struct heavy_function *function =
            function_of(s, context_told_as(&s->times->fold.tree, reason->node));
        if (work_wait_is(&s->waits, function->group, reason))
            function->work += reason->own;
    }
}

/* ---- the heaviest ---- */

static time_ns wall_of(const struct context_times *times, uint32_t group)
{
    return context_time_total(&times->sums[times->group_node[group]]);
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
    work_waits_init(&s.waits, times, groups);
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
    work_waits_release(&s.waits);
}
