#include "stacks/thread_group.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

static struct thread_group group_of(const struct thread_groups *groups,
                                    const struct kernel_side *side, uint32_t t)
{
    const struct kernel_task *task = &side->tasks[t];
    bool of_run = kernel_task_is_of_run(side, t);
    return (struct thread_group){.process = task_naming_process(&groups->naming, task->pid),
                                 .name = task_naming_name(&groups->naming, t),
                                 .main = task_naming_is_main(&groups->naming, t),
                                 .of_run = of_run,
                                 .client = !of_run && task->whose == TRACE_WHOSE_OTHER};
}

/* Names hold no line ends that matter: what is alike is one text. */
static uint32_t group_like(struct thread_groups *groups, const struct thread_group *group,
                           uint64_t routine)
{
    struct str key = {0};
    str_printf(&key, "%d %d %d %llx\n%s\n%s", group->main, group->of_run, group->client,
               (unsigned long long)routine, group->process,
               routine ? task_naming_stem(&groups->naming, group->name) : group->name);
    uint32_t index = intern_add(&groups->kinds, key.data);
    str_release(&key);
    if (index == groups->count)
        VEC_PUSH(groups->items, groups->count, groups->capacity) = *group;
    else if (strcmp(groups->items[index].name, group->name) != 0)
        groups->items[index].name = task_naming_stem(&groups->naming, group->name);
    groups->items[index].threads++;
    return index;
}

void thread_groups_fill(struct thread_groups *groups, const struct timelines *run)
{
    const struct kernel_side *side = run->kernel_side;
    *groups = (struct thread_groups){
        .of_task = memory_zeroed((side->task_count + 1) * sizeof *groups->of_task)};
    task_naming_init(&groups->naming, side, NULL);
    for (uint32_t t = 1; t < side->task_count; t++) {
        struct thread_group group = group_of(groups, side, t);
        groups->of_task[t] =
            group_like(groups, &group, task_naming_routine(&groups->naming, run, t));
    }
}

void thread_groups_release(struct thread_groups *groups)
{
    memory_free(groups->items);
    memory_free(groups->of_task);
    task_naming_release(&groups->naming);
    intern_release(&groups->kinds);
    *groups = (struct thread_groups){0};
}
