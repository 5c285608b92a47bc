#include "trace/task_naming.h"

#include "base/str.h"

void task_naming_init(struct task_naming *naming, const struct kernel_side *side,
                      const char *const *roles)
{
    *naming = (struct task_naming){.side = side};
    task_names_init(&naming->names, side, roles, &naming->kept);
}

void task_naming_release(struct task_naming *naming)
{
    task_names_release(&naming->names);
    intern_release(&naming->kept);
    *naming = (struct task_naming){0};
}

const char *task_naming_name(const struct task_naming *naming, uint32_t task)
{
    return task_names_get(&naming->names, task);
}

const char *task_naming_process(const struct task_naming *naming, uint32_t pid)
{
    return task_names_process(&naming->names, pid);
}

const char *task_naming_stem(struct task_naming *naming, const char *name)
{
    struct str stem = {0};
    for (const char *c = name; *c; c++)
        if (*c < '0' || *c > '9')
            str_append_char(&stem, *c);
        else if (c == name || c[-1] < '0' || c[-1] > '9')
            str_append_char(&stem, '#');
    uint32_t index = intern_add(&naming->kept, str_text(&stem));
    str_release(&stem);
    return naming->kept.text[index];
}

bool task_naming_is_main(const struct task_naming *naming, uint32_t task)
{
    return naming->side->tasks[task].pid == naming->side->tasks[task].tid;
}

uint64_t task_naming_routine(const struct task_naming *naming, const struct timelines *run,
                             uint32_t task)
{
    uint32_t thread = naming->side->tasks[task].thread;
    if (!run || thread == THREAD_NONE || task_naming_is_main(naming, task))
        return 0;
    return run->threads[thread].routine;
}
