#include "trace/task_naming.h"

#include "base/str.h"

/* A process is called what its first thread is. */
void task_naming_init(struct task_naming *naming, const struct kernel_side *side)
{
    *naming = (struct task_naming){.side = side};
    for (uint32_t i = 1; i < side->task_count; i++) {
        uint64_t *known = hash_map_put(&naming->first_of, side->tasks[i].tid);
        if (!*known)
            *known = 1 + i;
    }
}

void task_naming_release(struct task_naming *naming)
{
    hash_map_release(&naming->first_of);
    intern_release(&naming->stems);
    *naming = (struct task_naming){0};
}

const char *task_naming_process(const struct task_naming *naming, uint32_t pid)
{
    const uint64_t *first = hash_map_get(&naming->first_of, pid);
    return first ? naming->side->tasks[*first - 1].name : "";
}

const char *task_naming_stem(struct task_naming *naming, const char *name)
{
    struct str stem = {0};
    for (const char *c = name; *c; c++)
        if (*c < '0' || *c > '9')
            str_append_char(&stem, *c);
        else if (c == name || c[-1] < '0' || c[-1] > '9')
            str_append_char(&stem, '#');
    uint32_t index = intern_add(&naming->stems, str_text(&stem));
    str_release(&stem);
    return naming->stems.text[index];
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
