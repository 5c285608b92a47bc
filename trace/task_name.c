#include "trace/task_name.h"

#include "base/memory.h"
#include "base/str.h"
#include "trace/title_role.h"
#include "trace/worker_pool.h"

/* The roles of the processes of one name. */
struct name_roles {
    struct intern names;
    uint32_t *first; /* by name: the role that was seen first, or NO_ROLE */
    bool *differ;    /* by name */
    size_t count, capacity, differ_capacity;
};
#define NO_ROLE UINT32_MAX

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

static bool is_process(const struct kernel_task *task)
{
    return task->tid && task->tid == task->pid;
}

/* The number of its role in `kept`, or NO_ROLE. `function`: of its stacks, or NULL. */
static uint32_t role_of(const struct kernel_task *task, const char *function, struct intern *kept)
{
    struct str role = {0};
    bool titled = task->title && title_role(task->title, &role);
    if (!titled && function)
        str_printf(&role, "%s: %s", task->name, function);
    uint32_t number = role.length ? intern_add(kept, role.data) : NO_ROLE;
    str_release(&role);
    return number;
}

static void note_role(struct name_roles *roles, const char *name, uint32_t role)
{
    uint32_t number = intern_add(&roles->names, name);
    if (number < roles->count) {
        roles->differ[number] |= roles->first[number] != role;
        return;
    }
    size_t count = roles->count;
    VEC_PUSH(roles->first, roles->count, roles->capacity) = role;
    VEC_PUSH(roles->differ, count, roles->differ_capacity) = false;
}

/* Where all processes of a name have one role, or none has one, the name is enough. */
static void name_processes(struct task_names *names, const char *const *functions,
                           struct intern *kept)
{
    const struct kernel_side *side = names->side;
    struct name_roles roles = {0};
    uint32_t *role = memory_zeroed((side->task_count + 1) * sizeof *role);
    for (uint32_t t = 1; t < side->task_count; t++)
        if (is_process(&side->tasks[t])) {
            role[t] = role_of(&side->tasks[t], functions ? functions[t] : NULL, kept);
            note_role(&roles, side->tasks[t].name, role[t]);
        }
    for (uint32_t t = 1; t < side->task_count; t++)
        if (is_process(&side->tasks[t]) && role[t] != NO_ROLE &&
            roles.differ[intern_find(&roles.names, side->tasks[t].name)])
            names->names[t] = kept->text[role[t]];
    intern_release(&roles.names);
    memory_free(roles.first);
    memory_free(roles.differ);
    memory_free(role);
}

void task_names_init(struct task_names *names, const struct kernel_side *side,
                     const char *const *roles, struct intern *kept)
{
    *names = (struct task_names){.side = side};
    names->names = memory_zeroed((side->task_count + 1) * sizeof *names->names);
    for (uint32_t t = 1; t < side->task_count; t++) {
        uint64_t *known = hash_map_put(&names->first_of, side->tasks[t].tid);
        if (!*known)
            *known = 1 + t;
    }
    name_workers(names, kept);
    name_processes(names, roles, kept);
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
