#include "waits/run_stacks.h"

#include "base/memory.h"
#include "trace/sample.h"

uint32_t run_stacks_task(const struct run_stacks *stacks, const struct stack_sample *sample)
{
    return task_index_find(&stacks->tasks, sample->pid, sample->tid, sample->time);
}

static void close_variances(struct run_stacks *stacks)
{
    for (size_t i = 0; i < stacks->sums.count; i++) {
        struct stack_sum *sum = &stacks->sums.items[i];
        double n = (double)stacks->sampled[sum->key], k = (double)sum->sampled;
        double period = sum->time_ns / k;
        sum->variance = k * (1 - k / n) * period * period;
    }
}

void run_stacks_fill(struct run_stacks *stacks, struct sampled_names *names,
                     const struct timelines *run, const struct wait_graph *graph,
                     const struct kernel_side *side)
{
    struct sampled_frame frames[SAMPLED_MOST];
    *stacks = (struct run_stacks){0};
    if (!names)
        return;
    task_index_init(&stacks->tasks, side);
    stacks->sampled = memory_zeroed((graph->group_count + 1) * sizeof *stacks->sampled);
    for (uint32_t i = 0; i < run->sample_count; i++) {
        const struct stack_sample *sample = &run->samples[i];
        uint32_t task = run_stacks_task(stacks, sample);
        if (task == TASK_NONE || !sample->stack)
            continue;
        uint32_t group = graph->group_of[task];
        uint32_t count = sampled_names_stack(names, &run->sampled_stacks[sample->stack], frames);
        stack_sums_add(&stacks->sums, group, frames, count, (double)sample->amount_ns, 0);
        stacks->sampled[group]++;
    }
    stack_sums_close(&stacks->sums);
    close_variances(stacks);
}

void run_stacks_release(struct run_stacks *stacks)
{
    stack_sums_release(&stacks->sums);
    memory_free(stacks->sampled);
    task_index_release(&stacks->tasks);
    *stacks = (struct run_stacks){0};
}
