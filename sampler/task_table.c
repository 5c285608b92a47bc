#include "sampler/task_table.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

struct task *task_table_put(struct task_table *table, uint32_t tid)
{
    uint64_t *place = hash_map_put(&table->places, tid);
    if (!*place) {
        VEC_PUSH(table->tasks, table->count, table->capacity) = (struct task){.tid = tid};
        *place = table->count;
    }
    return &table->tasks[*place - 1];
}

void task_table_name(struct task *task, const char *name)
{
    if (!*name || strncmp(task->name, name, KERNEL_NAME) == 0)
        return;
    memset(task->name, 0, sizeof task->name);
    memcpy(task->name, name, strnlen(name, KERNEL_NAME - 1));
    task->told = false;
}

void task_table_set_state(struct task_table *table, struct task *task, enum task_state state)
{
    if (task->run && task->state == TASK_RUNNABLE)
        table->starved--;
    task->state = (uint8_t)state;
    if (task->run && task->state == TASK_RUNNABLE)
        table->starved++;
}

static bool is_watched(const struct task_table *table, uint32_t pid)
{
    const uint64_t *watched = hash_map_get(&table->watched, pid);
    return watched && *watched;
}

struct task *task_table_born(struct task_table *table, uint32_t tid, uint32_t pid, uint32_t maker)
{
    struct task by = *task_table_put(table, maker);
    struct task *task = task_table_put(table, tid);
    task_table_set_state(table, task, TASK_UNSEEN);
    bool run = by.run || is_watched(table, pid);
    *task = (struct task){.tid = tid, .pid = pid, .maker = maker, .run = run};
    task_table_name(task, by.name);
    return task;
}

/* A process of the same number will be another one. */
void task_table_ended(struct task_table *table, struct task *task)
{
    uint64_t *watched = hash_map_get(&table->watched, task->tid);
    task->ended = true;
    if (watched)
        *watched = 0;
}

struct task *task_table_get(const struct task_table *table, uint32_t tid)
{
    const uint64_t *place = hash_map_get(&table->places, tid);
    return place ? &table->tasks[*place - 1] : NULL;
}

/* Ids are used again only after all others were: a machine that makes many threads fills the table
 * with those that are gone. */
void task_table_drop_ended(struct task_table *table, uint64_t until_ns)
{
    enum { FEW = 8192 };
    size_t kept = 0;
    if (table->count < table->most || table->count < FEW)
        return;
    hash_map_release(&table->places);
    for (size_t i = 0; i < table->count; i++) {
        struct task *task = &table->tasks[i];
        if (task->ended && task->out_ns < until_ns)
            continue;
        table->tasks[kept++] = *task;
        *hash_map_put(&table->places, task->tid) = kept;
    }
    table->count = kept;
    table->most = 2 * kept;
}

void task_table_forget_states(struct task_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        table->tasks[i].state = TASK_UNSEEN;
    table->starved = 0;
}

static void set_run(struct task_table *table, uint32_t tid, uint32_t pid)
{
    struct task *task = task_table_put(table, tid);
    enum task_state state = task->state;
    task_table_set_state(table, task, TASK_UNSEEN);
    task->run = true;
    task->told = false; /* as another's, perhaps */
    task->pid = pid;
    task_table_set_state(table, task, state);
}

/* A thread that is older than the recording may never say its name again. */
static void name_living(struct task_table *table, uint32_t pid, const char *tid)
{
    struct task *task = task_table_put(table, (uint32_t)strtoul(tid, NULL, 10));
    char path[64], name[KERNEL_NAME + 1] = "";
    snprintf(path, sizeof path, "/proc/%u/task/%.20s/comm", pid, tid);
    FILE *file = task->name[0] ? NULL : fopen(path, "re");
    if (file && fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = '\0';
    if (file)
        fclose(file);
    task_table_name(task, name);
}

/* "task/12/children" of a process names the processes that its thread 12 made and that live. */
static void watch_living(struct task_table *table, uint32_t pid);

static void watch_children(struct task_table *table, uint32_t pid, const char *tid)
{
    char path[64];
    unsigned child;
    snprintf(path, sizeof path, "/proc/%u/task/%.20s/children", pid, tid);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%u", &child) == 1)
        watch_living(table, child);
    if (file)
        fclose(file);
}

/* The recorder itself is none of what it was started by. */
static void watch_living(struct task_table *table, uint32_t pid)
{
    char path[64];
    if (pid == (uint32_t)getpid())
        return;
    snprintf(path, sizeof path, "/proc/%u/task", pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            set_run(table, (uint32_t)strtoul(entry->d_name, NULL, 10), pid);
            name_living(table, pid, entry->d_name);
            watch_children(table, pid, entry->d_name);
        }
    if (folder)
        closedir(folder);
}

/* Those of the process that are gone, and what they made. */
static bool watch_made(struct task_table *table, uint32_t pid)
{
    bool found = false;
    for (size_t i = 0; i < table->count; i++) {
        struct task *task = &table->tasks[i];
        bool made = task->maker && task_table_put(table, task->maker)->run;
        task = &table->tasks[i];
        if (!task->run && (made || task->pid == pid)) {
            set_run(table, task->tid, task->pid);
            found = true;
        }
    }
    return found;
}

void task_table_watch(struct task_table *table, pid_t pid)
{
    *hash_map_put(&table->watched, (uint32_t)pid) = 1;
    set_run(table, (uint32_t)pid, (uint32_t)pid);
    watch_living(table, (uint32_t)pid);
    while (watch_made(table, (uint32_t)pid))
        ;
}

/* A thread that is gone before it could be asked is taken for a process of its own. */
uint32_t task_table_pid(struct task *task)
{
    char path[64], line[256];
    unsigned pid = task->tid;
    if (task->pid)
        return task->pid;
    snprintf(path, sizeof path, "/proc/%u/status", task->tid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "Tgid: %u", &pid) != 1)
        ;
    if (file)
        fclose(file);
    return task->pid = pid;
}

/* "2 (kthreadd) S 0 0 0 0 -1 2129984 ...": the last one are the flags, among them PF_KTHREAD. */
bool task_table_is_kernel(struct task *task)
{
    static const unsigned kernel_thread = 0x00200000;
    char path[64], line[512];
    unsigned flags = 0;
    if (task->kernel_asked)
        return task->kernel;
    snprintf(path, sizeof path, "/proc/%u/stat", task->tid);
    FILE *file = fopen(path, "re");
    const char *name_end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (name_end)
        sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags);
    if (file)
        fclose(file);
    task->kernel_asked = true;
    return task->kernel = flags & kernel_thread;
}

void task_table_release(struct task_table *table)
{
    hash_map_release(&table->places);
    hash_map_release(&table->watched);
    memory_free(table->tasks);
    *table = (struct task_table){0};
}
