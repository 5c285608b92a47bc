#include "stacks/task_thread.h"

#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/off_blocks.h"
#include "trace/off_cpu.h"
#include "trace/point.h"
#include "trace/sample.h"
#include "trace/thread_index.h"

/* What is to become threads and processes. */
struct making {
    struct timelines *run;
    struct timeline_thread *threads;
    size_t count, capacity;
    uint32_t *tasks; /* by thread: the kernel's, or TASK_NONE */
    size_t task_count, task_capacity;
    struct timeline_process *processes;
    size_t process_count, process_capacity;
    struct hash_map of_pid; /* -> index in the run's processes + 1 */
};

static const char *maps_of(const struct timelines *run, uint32_t pid)
{
    const struct wait_stacks *stacks = run->wait_stacks;
    for (uint32_t i = 0; stacks && i < stacks->process_count; i++)
        if (stacks->processes[i].pid == pid)
            return stacks->processes[i].maps;
    return "";
}

/* That of its first thread, which may be known by another task of the same process; or of any of its threads, as the
 * first one may have slept all the time. */
static const char *program_of(const struct timelines *run, uint32_t pid)
{
    const struct kernel_side *side = run->kernel_side;
    const char *other = "";
    for (uint32_t i = 0; side && i < side->task_count; i++) {
        const struct kernel_task *task = &side->tasks[i];
        if (task->pid != pid || !task->name[0])
            continue;
        if (task->tid == pid)
            return task->name;
        other = *other ? other : task->name;
    }
    return other;
}

static uint32_t process_of(struct making *m, uint32_t pid, uint32_t parent)
{
    uint64_t *known = hash_map_put(&m->of_pid, pid);
    if (!*known) {
        VEC_PUSH(m->processes, m->process_count, m->process_capacity) =
            (struct timeline_process){.pid = pid,
                                      .parent_pid = parent,
                                      .program = program_of(m->run, pid),
                                      .maps = maps_of(m->run, pid)};
        *known = m->run->process_count + m->process_count;
    }
    return (uint32_t)*known - 1;
}

static void add_thread(struct making *m, const struct timeline_thread *thread, uint32_t task)
{
    VEC_PUSH(m->threads, m->count, m->capacity) = *thread;
    VEC_PUSH(m->tasks, m->task_count, m->task_capacity) = task;
}

/* ---- those of the kernel's recorder ---- */

static time_ns recorded_until(const struct kernel_side *side)
{
    time_ns until = 0;
    for (uint32_t i = 0; i < side->processor_count; i++)
        until = side->processors[i].until > until ? side->processors[i].until : until;
    return until;
}

static void add_task(struct making *m, uint32_t index, time_ns until)
{
    const struct kernel_side *side = m->run->kernel_side;
    const struct kernel_task *task = &side->tasks[index];
    uint32_t parent = task->maker != TASK_NONE ? side->tasks[task->maker].pid : 0;
    time_ns last = task->ended != INT64_MAX ? task->ended : until;
    add_thread(m,
               &(struct timeline_thread){.process = process_of(m, task->pid, parent),
                                         .tid = task->tid,
                                         .name = task->name,
                                         .first = task->seen,
                                         .last = last > task->seen ? last : task->seen,
                                         .offs = task->offs,
                                         .off_count = task->off_count},
               index);
}

static void add_tasks(struct making *m)
{
    const struct kernel_side *side = m->run->kernel_side;
    time_ns until = side ? recorded_until(side) : 0;
    for (uint32_t i = 1; side && i < side->task_count; i++)
        if (side->tasks[i].thread == THREAD_NONE && side->tasks[i].pid &&
            side->tasks[i].whose == TRACE_WHOSE_RUN)
            add_task(m, i, until);
}

/* ---- those of hits ---- */

/* Where the kernel's side was not recorded, a thread is there from its first hit to its last. */
static void add_of_hits(struct making *m)
{
    const struct point_hits *hits = m->run->point_hits;
    struct hash_map of = {0};
    struct thread_index index;
    thread_index_init(&index, m->run);
    for (size_t i = 0; hits && i < hits->count; i++) {
        const struct point_hit *hit = &hits->items[i];
        if (thread_index_find(&index, hit->pid, hit->tid, hit->time) != THREAD_NONE)
            continue;
        uint64_t *known = hash_map_put(&of, (uint64_t)hit->pid << 32 | hit->tid);
        if (!*known) {
            add_thread(m,
                       &(struct timeline_thread){.process = process_of(m, hit->pid, 0),
                                                 .tid = hit->tid,
                                                 .name = "",
                                                 .first = hit->time,
                                                 .last = hit->time},
                       TASK_NONE);
            *known = m->count;
        }
        m->threads[*known - 1].last = hit->time;
    }
    thread_index_release(&index);
    hash_map_release(&of);
}

/* ---- into the run ---- */

static void append(struct making *m)
{
    struct timelines *run = m->run;
    uint32_t threads = run->thread_count + (uint32_t)m->count,
             processes = run->process_count + (uint32_t)m->process_count;
    struct timeline_thread *t = ARENA_ARRAY(&run->arena, struct timeline_thread, threads);
    struct timeline_process *p = ARENA_ARRAY(&run->arena, struct timeline_process, processes);
    for (uint32_t i = 0; i < run->thread_count; i++)
        t[i] = run->threads[i];
    for (uint32_t i = 0; i < run->process_count; i++)
        p[i] = run->processes[i];
    for (size_t i = 0; i < m->count; i++)
        t[run->thread_count + i] = m->threads[i];
    for (size_t i = 0; i < m->process_count; i++)
        p[run->process_count + i] = m->processes[i];
    for (size_t i = 0; i < m->count; i++)
        if (m->tasks[i] != TASK_NONE)
            run->kernel_side->tasks[m->tasks[i]].thread = run->thread_count + (uint32_t)i;
    run->threads = t;
    run->processes = p;
    run->thread_count = threads;
    run->process_count = processes;
}

static void make(struct timelines *run, void (*add)(struct making *m))
{
    struct making m = {.run = run};
    uint32_t before = run->thread_count;
    for (uint32_t i = 0; i < run->process_count; i++)
        *hash_map_put(&m.of_pid, run->processes[i].pid) = i + 1;
    add(&m);
    if (m.count)
        append(&m);
    off_blocks_add(run, before);
    memory_free(m.threads);
    memory_free(m.tasks);
    memory_free(m.processes);
    hash_map_release(&m.of_pid);
}

void task_threads_make(struct timelines *run)
{
    make(run, add_tasks);
    make(run, add_of_hits);
}
