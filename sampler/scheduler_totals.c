#include "sampler/scheduler_totals.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

void scheduler_totals_init(struct scheduler_totals *totals, struct recorder_file *file)
{
    *totals = (struct scheduler_totals){.file = file};
}

void scheduler_totals_watch(struct scheduler_totals *totals, pid_t pid)
{
    VEC_PUSH(totals->pids, totals->pid_count, totals->pid_capacity) = pid;
}

static struct thread_total *total_of(struct scheduler_totals *totals, uint32_t tid)
{
    uint64_t *place = hash_map_put(&totals->places, tid);
    if (!*place) {
        VEC_PUSH(totals->threads, totals->count, totals->capacity) = (struct thread_total){0};
        *place = totals->count;
    }
    return &totals->threads[*place - 1];
}

static void write_total(struct scheduler_totals *totals, const struct task *task,
                        struct thread_total *total)
{
    struct trace_who who = {.pid = task->pid, .tid = task->tid};
    memcpy(who.name, task->name, sizeof who.name);
    recorder_file_add(totals->file, 0, total->time_ns, TRACE_WHO, &who);
    recorder_file_add(totals->file, 0, total->time_ns, TRACE_TOTALS, &total->totals);
    total->written = true;
}

static void read_name(struct task *task)
{
    char path[64], name[KERNEL_NAME + 1] = "";
    snprintf(path, sizeof path, "/proc/%u/task/%u/comm", task->pid, task->tid);
    FILE *file = fopen(path, "re");
    if (file && fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = '\0';
    if (file)
        fclose(file);
    task_table_name(task, name);
}

/* "ran_ns runnable_ns times" */
static void read_thread(struct scheduler_totals *totals, struct task *task)
{
    char path[64];
    unsigned long long ran, runnable;
    snprintf(path, sizeof path, "/proc/%u/task/%u/schedstat", task->pid, task->tid);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    struct thread_total *total = total_of(totals, task->tid);
    if (fscanf(file, "%llu %llu", &ran, &runnable) == 2) {
        total->totals = (struct trace_totals){
            .pid = task->pid, .tid = task->tid, .ran_ns = ran, .runnable_ns = runnable};
        total->time_ns = clock_ns();
        read_name(task);
    }
    fclose(file);
}

void scheduler_totals_read(struct scheduler_totals *totals)
{
    for (size_t i = 0; i < totals->pid_count; i++)
        task_table_watch(&totals->tasks, totals->pids[i]);
    for (size_t i = 0; i < totals->tasks.count; i++)
        read_thread(totals, &totals->tasks.tasks[i]);
}

void scheduler_totals_finish(struct scheduler_totals *totals)
{
    scheduler_totals_read(totals);
    for (size_t i = 0; i < totals->tasks.count; i++) {
        struct task *task = &totals->tasks.tasks[i];
        struct thread_total *total = total_of(totals, task->tid);
        if (total->time_ns)
            write_total(totals, task, total);
    }
}

void scheduler_totals_release(struct scheduler_totals *totals)
{
    task_table_release(&totals->tasks);
    hash_map_release(&totals->places);
    memory_free(totals->pids);
    memory_free(totals->threads);
    *totals = (struct scheduler_totals){0};
}
