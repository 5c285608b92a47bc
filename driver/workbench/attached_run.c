#include "driver/workbench/attached_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "driver/cli/talk.h"
#include "driver/workbench/process.h"
#include "driver/workbench/process_stat.h"

enum { LOOK_MS = 50 };

static bool is_there(pid_t pid)
{
    struct process_stat stat;
    return process_stat_read(pid, &stat) && stat.state != 'X' && stat.state != 'Z';
}

bool attached_run_find(pid_t pid, struct error *error)
{
    return is_there(pid) ||
           error_set(error, ERROR_USAGE,
                     "There is no process %d. `pgrep -l NAME` finds one by name.", (int)pid);
}

static bool watch_with_children(struct kernel_recording *recording, pid_t pid);

static void watch_children(struct kernel_recording *recording, pid_t pid, const char *task)
{
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, task);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        watch_with_children(recording, child);
    if (file)
        fclose(file);
}

/* What they fork from now on the recorder knows by itself. False and errno: of the process itself not all is
 * recorded. Who is told to watch what it was started by is none of it. */
static bool watch_with_children(struct kernel_recording *recording, pid_t pid)
{
    char path[64];
    if (pid == getpid())
        return true;
    bool watched = kernel_recording_watch(recording, pid);
    int refused = errno;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks)) != NULL;)
        if (task->d_name[0] != '.')
            watch_children(recording, pid, task->d_name);
    if (tasks)
        closedir(tasks);
    errno = refused;
    return watched;
}

static void wait_for(pid_t pid, double seconds)
{
    double until_s = clock_s() + seconds;
    while (clock_s() < until_s && is_there(pid) && !process_interrupted())
        nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
    if (!is_there(pid))
        talk("process %d has ended: what it did until then is analysed", (int)pid);
    else if (process_interrupted())
        talk("stopped: what was recorded until then is analysed");
}

bool attached_run(pid_t pid, double seconds, struct kernel_wish wish, const char *directory,
                  struct error *error)
{
    struct kernel_recording recording;
    if (!attached_run_find(pid, error))
        return false;
    process_catch_interrupts();
    kernel_recording_start(&recording, wish, directory);
    if (!recording.sampler)
        return error_set(error, ERROR_SYSTEM, "Nothing of process %d could be recorded.", (int)pid);
    bool watched = watch_with_children(&recording, pid);
    int refused = watched ? 0 : errno;
    bool may = refused != EACCES && refused != EPERM;
    if (may)
        wait_for(pid, seconds);
    kernel_recording_stop(&recording);
    return may ||
           error_set(error, ERROR_USAGE,
                     "Process %d is another user's, and can't be recorded (%s). Run vprofiler as "
                     "that user, or as root.",
                     (int)pid, strerror(refused));
}
