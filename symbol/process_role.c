#include "symbol/process_role.h"

#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"

enum { DEEPEST = 32 }; /* functions of a path; what differs further in is no role */

/* A stack's own functions, the outermost first, ended by NULL. */
struct path {
    const char *functions[DEEPEST + 1];
};

struct process {
    struct path *stacks;
    size_t count, capacity;
    const char *common[DEEPEST + 1]; /* what nearly all of them have */
};

struct finding {
    const struct kernel_side *side;
    struct hash_map process_of; /* pid -> 1 + process */
    struct process *processes;
    uint32_t *tasks; /* by process: its first thread */
    size_t count, capacity, task_capacity;
};

static bool is_process(const struct kernel_task *task)
{
    bool of_run = task->thread != THREAD_NONE || task->whose == TRACE_WHOSE_RUN;
    return of_run && task->tid && task->tid == task->pid && !(task->title && task->title[0]);
}

static void index_processes(struct finding *f)
{
    for (uint32_t t = 1; t < f->side->task_count; t++) {
        if (!is_process(&f->side->tasks[t]))
            continue;
        uint64_t *known = hash_map_put(&f->process_of, f->side->tasks[t].pid);
        if (*known)
            continue;
        size_t count = f->count;
        VEC_PUSH(f->processes, f->count, f->capacity) = (struct process){0};
        VEC_PUSH(f->tasks, count, f->task_capacity) = t;
        *known = f->count;
    }
}

/* What has no name is told by its file, in brackets: of that nothing follows. */
static bool fill_path(const struct sampled_frame *frames, uint32_t count, struct path *own)
{
    uint32_t length = 0;
    for (uint32_t f = count; f-- > 0 && length < DEEPEST;)
        if (frames[f].kind == FRAME_PROGRAM && frames[f].name[0] != '[')
            own->functions[length++] = frames[f].name;
    own->functions[length] = NULL;
    return length > 0;
}

static void take_stacks(struct finding *f, struct sampled_names *names, const struct timelines *run)
{
    struct sampled_frame frames[SAMPLED_MOST];
    for (uint32_t i = 0; i < run->wait_stacks->count; i++) {
        const struct wait_stack *stack = &run->wait_stacks->items[i];
        const uint64_t *known =
            stack->pid == stack->tid ? hash_map_get(&f->process_of, stack->pid) : NULL;
        struct path own;
        if (!known || !stack->stack || run->sampled_stacks[stack->stack].cut)
            continue;
        uint32_t count = sampled_names_stack(names, &run->sampled_stacks[stack->stack], frames);
        struct process *process = &f->processes[*known - 1];
        if (fill_path(frames, count, &own))
            VEC_PUSH(process->stacks, process->count, process->capacity) = own;
    }
}

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* How many of the stacks that go as `common` does until `depth` go on with this function. */
static size_t count_like(const struct process *process, uint32_t depth, const char *function)
{
    size_t like = 0;
    for (size_t s = 0; s < process->count; s++) {
        bool same = is_same(process->stacks[s].functions[depth], function);
        for (uint32_t d = 0; same && d < depth; d++)
            same = is_same(process->stacks[s].functions[d], process->common[d]);
        like += same;
    }
    return like;
}

/* Boyer's and Moore's majority: what more than half have, if anything is so. */
static const char *most_have(const struct process *process, uint32_t depth)
{
    const char *function = NULL;
    size_t lead = 0;
    for (size_t s = 0; s < process->count; s++) {
        const char *here = process->stacks[s].functions[depth];
        if (!lead)
            function = here;
        bool same = here == function || is_same(here, function);
        lead = same ? lead + 1 : lead - 1;
    }
    return function;
}

static void find_common(struct process *process)
{
    bool enough = process->count >= PROCESS_ROLE_STACKS;
    for (uint32_t depth = 0; enough && depth < DEEPEST; depth++) {
        const char *function = most_have(process, depth);
        size_t like = function ? count_like(process, depth, function) : 0;
        if ((double)like < PROCESS_ROLE_PART * (double)process->count)
            return;
        process->common[depth] = function;
    }
}

/* ---- roles ---- */

struct parting {
    const char *const *const *paths;
    const char **roles; /* by path */
};

static bool any_ends(const struct parting *p, const uint32_t *members, uint32_t count,
                     uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++)
        if (!p->paths[members[i]][depth])
            return true;
    return false;
}

/* Those of them that are alike at this depth come to the front: how many. */
static uint32_t gather_alike(const struct parting *p, uint32_t *members, uint32_t count,
                             uint32_t depth)
{
    uint32_t alike = 1;
    for (uint32_t i = 1; i < count; i++)
        if (is_same(p->paths[members[i]][depth], p->paths[members[0]][depth])) {
            uint32_t member = members[i];
            members[i] = members[alike];
            members[alike++] = member;
        }
    return alike;
}

/* Members that go the same way until `depth`. */
static void part(const struct parting *p, uint32_t *members, uint32_t count, uint32_t depth)
{
    if (count < 2 || any_ends(p, members, count, depth))
        return;
    uint32_t alike = gather_alike(p, members, count, depth);
    for (uint32_t i = 0; i < count && alike < count; i++)
        p->roles[members[i]] = p->paths[members[i]][depth];
    part(p, members, alike, depth + 1);
    for (uint32_t from = alike; from < count; from += alike) {
        alike = gather_alike(p, members + from, count - from, depth);
        part(p, members + from, alike, depth + 1);
    }
}

void process_roles_of_paths(const char *const *const *paths, uint32_t count, const char **roles)
{
    struct parting p = {paths, roles};
    uint32_t *members = memory_alloc((count + 1) * sizeof *members);
    for (uint32_t i = 0; i < count; i++) {
        members[i] = i;
        roles[i] = NULL;
    }
    part(&p, members, count, 0);
    memory_free(members);
}

/* Of the processes that are called `name`. */
static void find_roles(struct finding *f, struct process_roles *found, const char *name)
{
    const char *const **paths = memory_alloc((f->count + 1) * sizeof *paths);
    const char **roles = memory_alloc((f->count + 1) * sizeof *roles);
    uint32_t *tasks = memory_alloc((f->count + 1) * sizeof *tasks), count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->processes[i].common[0] && strcmp(f->side->tasks[f->tasks[i]].name, name) == 0) {
            paths[count] = f->processes[i].common;
            tasks[count++] = f->tasks[i];
        }
    process_roles_of_paths(paths, count, roles);
    for (uint32_t i = 0; i < count; i++)
        found->of_task[tasks[i]] = roles[i];
    memory_free(paths);
    memory_free(roles);
    memory_free(tasks);
}

static void find_all(struct finding *f, struct process_roles *found)
{
    struct intern seen = {0};
    for (size_t i = 0; i < f->count; i++) {
        const char *name = f->side->tasks[f->tasks[i]].name;
        if (intern_find(&seen, name) != INTERN_NONE)
            continue;
        intern_add(&seen, name);
        find_roles(f, found, name);
    }
    intern_release(&seen);
}

void process_roles_find(struct process_roles *roles, struct sampled_names *names,
                        const struct timelines *run)
{
    struct finding f = {.side = run->kernel_side};
    roles->of_task = memory_zeroed((f.side->task_count + 1) * sizeof *roles->of_task);
    if (!names)
        return;
    index_processes(&f);
    take_stacks(&f, names, run);
    for (size_t i = 0; i < f.count; i++)
        find_common(&f.processes[i]);
    find_all(&f, roles);
    for (size_t i = 0; i < f.count; i++)
        memory_free(f.processes[i].stacks);
    memory_free(f.processes);
    memory_free(f.tasks);
    hash_map_release(&f.process_of);
}

void process_roles_release(struct process_roles *roles)
{
    memory_free(roles->of_task);
    *roles = (struct process_roles){0};
}
