#include "driver/workbench/processor_time.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/trace_folder.h"

/* Gives false where the process has ended. The name in the second field may hold anything. */
static bool read_ticks(struct process_time *process)
{
    char path[32], text[1024];
    uint64_t parts[4];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", process->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size < 0 ? 0 : size] = '\0';
    const char *fields = strrchr(text, ')');
    if (!fields || sscanf(fields + 1,
                          " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
                          " %" SCNu64 " %" SCNu64,
                          &parts[0], &parts[1], &parts[2], &parts[3]) != 4)
        return false;
    process->ticks = parts[0] + parts[1] + parts[2] + parts[3];
    return true;
}

/* A program without probes may be a shell that waits for who sends the requests. */
static bool read_header(struct process_time *process, const char *path)
{
    struct trace_file_header header;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool known = fd >= 0 && trace_folder_header(fd, &header);
    if (fd >= 0)
        close(fd);
    if (!known || header.end != TRACE_RUNNING || header.hook_tables == 0)
        return false;
    process->pid = header.pid;
    process->parent = header.parent_pid;
    return true;
}

static const struct process_time *find(const struct processor_time *time, uint32_t pid)
{
    for (size_t i = 0; i < time->count; i++)
        if (time->processes[i].pid == pid)
            return &time->processes[i];
    return NULL;
}

void processor_time_begin(struct processor_time *time, const char *directory)
{
    struct trace_folder folder;
    struct error ignored;
    time->count = 0;
    trace_folder_list(&folder, directory, &ignored);
    for (size_t i = 0; i < folder.count; i++) {
        struct process_time process;
        if (read_header(&process, folder.paths[i]) && !find(time, process.pid) &&
            read_ticks(&process))
            VEC_PUSH(time->processes, time->count, time->capacity) = process;
    }
    trace_folder_release(&folder);
}

/* A process that ended has left its time, also that of before the beginning, to its parent. */
double processor_time_used_ns(const struct processor_time *time, const char *folder)
{
    struct processor_time now = {0};
    int64_t ticks = 0;
    processor_time_begin(&now, folder);
    for (size_t i = 0; i < now.count; i++)
        ticks += (int64_t)now.processes[i].ticks;
    for (size_t i = 0; i < time->count; i++) {
        const struct process_time *before = &time->processes[i];
        if (find(&now, before->pid) || find(&now, before->parent))
            ticks -= (int64_t)before->ticks;
    }
    processor_time_release(&now);
    return ticks > 0 ? (double)ticks * 1e9 / (double)sysconf(_SC_CLK_TCK) : 0;
}

void processor_time_release(struct processor_time *time)
{
    memory_free(time->processes);
    *time = (struct processor_time){0};
}
