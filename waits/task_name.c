#include "waits/task_name.h"

#include "base/memory.h"
#include "base/str.h"
#include "waits/worker_pool.h"

static const char *kept_text(struct intern *kept, const char *text)
{
    uint32_t number = intern_add(kept, text); /* moves the texts' list */
    return kept->text[number];
}

static void name_workers(struct task_names *names, struct intern *kept)
{
    for (uint32_t t = 0; t < names->side->task_count; t++) {
        const struct kernel_task *task = &names->side->tasks[t];
        struct str pool = {0};
        names->names[t] = task->name;
        bool kernels = task->whose == TRACE_WHOSE_KERNEL || task->whose == TRACE_WHOSE_UNKNOWN;
        if (kernels && worker_pool_name(task->name, &pool))
            names->names[t] = kept_text(kept, pool.data);
        str_release(&pool);
    }
}

void task_names_init(struct task_names *names, const struct kernel_side *side, struct intern *kept)
{
    *names = (struct task_names){.side = side};
    names->names = memory_zeroed((side->task_count + 1) * sizeof *names->names);
    for (uint32_t t = 1; t < side->task_count; t++) {
        uint64_t *known = hash_map_put(&names->first_of, side->tasks[t].tid);
        if (!*known)
            *known = 1 + t;
    }
    name_workers(names, kept);
}

const char *task_names_get(const struct task_names *names, uint32_t task)
{
    return names->names[task];
}

const char *task_names_process(const struct task_names *names, uint32_t pid)
{
    const uint64_t *first = hash_map_get(&names->first_of, pid);
    return first ? names->names[*first - 1] : "";
}

void task_names_release(struct task_names *names)
{
    hash_map_release(&names->first_of);
    memory_free(names->names);
    *names = (struct task_names){0};
}
