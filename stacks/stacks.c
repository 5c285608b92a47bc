#include "stacks/stacks.h"

#include "base/memory.h"

#define CURE "`vprofiler doctor` says what it takes."

static bool has_stacks(const struct timelines *run, struct error *error)
{
    if (!kernel_side_has_switches(run->kernel_side))
        return error_set(error, ERROR_NOTHING,
                         "When threads had a processor was not recorded. " CURE);
    if (!run->wait_stacks)
        return error_set(
            error, ERROR_NOTHING,
            "No stacks were recorded: `vprofiler stacks -- COMMAND` records them, where "
            "it may. " CURE);
    return true;
}

static void find_bounds(struct stacks *stacks)
{
    const struct kernel_side *side = stacks->run->kernel_side;
    for (uint32_t t = 1; t < side->task_count; t++) {
        const struct thread_time *time = &stacks->times.threads[t];
        if (!kernel_task_is_of_run(side, t) || !thread_time_wall(time))
            continue;
        bool first = !stacks->threads++;
        stacks->from = first || time->from < stacks->from ? time->from : stacks->from;
        stacks->until = first || time->until > stacks->until ? time->until : stacks->until;
    }
}

static void find_request_times(struct stacks *stacks)
{
    request_times_find(&stacks->requests, &(struct side_run){.run = stacks->run,
                                                             .groups = &stacks->groups,
                                                             .seen = &stacks->seen,
                                                             .times = &stacks->times,
                                                             .from = stacks->from,
                                                             .until = stacks->until});
}

struct stacks *stacks_find(const struct timelines *run, const struct stacks_options *options,
                           struct error *error)
{
    const struct kernel_side *side = run->kernel_side;
    if (!has_stacks(run, error))
        return NULL;
    struct stacks *stacks = memory_zeroed(sizeof *stacks);
    stacks->run = run;
    stacks->options = *options;
    stacks->wakers_known =
        run->watched == TRACE_WATCHED_ALL || !side->slept || side->unwoken < side->slept;
    stacks->names = sampled_names_open(run->wait_stacks);
    sampled_names_look_inside(stacks->names);
    thread_groups_fill(&stacks->groups, run);
    sightings_fill(&stacks->seen, run, stacks->names);
    context_times_fill(&stacks->times, &stacks->seen, run, &stacks->groups, options->layers);
    function_times_fill(&stacks->functions, &stacks->times);
    heaviest_find(&stacks->heaviest, &stacks->times, &stacks->groups);
    find_bounds(stacks);
    find_request_times(stacks);
    return stacks;
}

/* Of each thread: ran + off + queue + missing = wall. */
static bool threads_add_up(const struct stacks *stacks)
{
    for (uint32_t t = 1; t < stacks->seen.task_count; t++) {
        const struct thread_time *time = &stacks->times.threads[t];
        if (time->missing < 0 || time->ran < 0 ||
            time->ran + time->off + time->queue + time->missing != thread_time_wall(time))
            return false;
    }
    return true;
}

/* The own times of a group's nodes are its threads' times, each kind for itself. */
static bool groups_add_up(const struct stacks *stacks)
{
    const struct context_times *times = &stacks->times;
    time_ns(*left)[CONTEXT_TIMES] = memory_zeroed((stacks->groups.count + 1) * sizeof *left);
    bool ok = true;
    for (uint32_t t = 1; t < stacks->seen.task_count; t++) {
        const struct thread_time *time = &times->threads[t];
        time_ns *of = left[stacks->groups.of_task[t]];
        of[TIME_RAN] += time->ran;
        of[TIME_OFF] += time->off;
        of[TIME_QUEUE] += time->queue;
        of[TIME_MISSING] += time->missing;
    }
    for (uint32_t n = 1; n < times->fold.tree.count; n++)
        for (int k = 0; k < CONTEXT_TIMES; k++)
            left[context_group_of(times, n)][k] -= times->sums[n].own[k];
    for (uint32_t g = 0; g < stacks->groups.count; g++)
        for (int k = 0; k < CONTEXT_TIMES; k++)
            ok = ok && left[g][k] == 0;
    memory_free(left);
    return ok;
}

/* What is below a node is in its total, and there is nothing else but what is at it. */
static bool tree_adds_up(const struct context_times *times)
{
    time_ns all = 0;
    for (uint32_t n = 1; n < times->fold.tree.count; n++) {
        all += context_time_own(&times->sums[n]);
        if (times->fold.tree.nodes[n].parent >= n || context_time_total(&times->sums[n]) < 0)
            return false;
    }
    return all == context_time_total(&times->sums[CONTEXT_ROOT]);
}

static bool reasons_add_up(const struct context_times *times)
{
    time_ns off = 0;
    for (size_t i = 0; i < times->reason_count; i++)
        off += times->reasons[i].own;
    return off == times->sums[CONTEXT_ROOT].total[TIME_OFF];
}

const char *stacks_check(const struct stacks *stacks)
{
    if (!threads_add_up(stacks))
        return "what a thread ran, was off and wanted a processor is not the time it was there";
    if (!groups_add_up(stacks))
        return "the own times of contexts are not the times of their threads";
    if (!tree_adds_up(&stacks->times))
        return "the own times of contexts are not the whole";
    if (!reasons_add_up(&stacks->times))
        return "the times off for each reason are not all of the time off";
    return NULL;
}

void stacks_release(struct stacks *stacks)
{
    request_times_release(&stacks->requests);
    function_times_release(&stacks->functions);
    context_times_release(&stacks->times);
    sightings_release(&stacks->seen);
    thread_groups_release(&stacks->groups);
    sampled_names_close(stacks->names);
    memory_free(stacks);
}
