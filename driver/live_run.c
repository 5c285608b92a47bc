#include "driver/live_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/trace_format.h"

#define PAUSE_NS 20000000L
/* A record is stored soon after its clock was read, but its thread may have to wait in between. */
#define SETTLE_NS UINT64_C(5000000)

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- the file of switches ---- */

/* Whole pages: a runtime fills up the last one with ones. */
static size_t file_bytes(const struct live_run *live)
{
    return TRACE_PAGE + ((size_t)live->probe_count + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
}

static bool map_switches(struct live_run *live, struct error *error)
{
    static const struct trace_switches_header header = {TRACE_SWITCHES_MAGIC, TRACE_VERSION,
                                                        TRACE_PAGE};
    struct str path = {0};
    path_join(&path, live->trace.data, TRACE_SWITCHES_NAME);
    int fd = open(path.data, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void *file = MAP_FAILED;
    /* It returns the reason, and error_system looks for it in errno. */
    int why = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)file_bytes(live));
    if (why)
        errno = why;
    else
        file = mmap(NULL, file_bytes(live), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) {
        error_system(error, "Can't write %s", path.data);
    } else {
        memcpy(file, &header, sizeof header);
        live->switches = (unsigned char *)file + TRACE_PAGE;
        live->switches[0] = 1;
    }
    if (fd >= 0)
        close(fd);
    str_release(&path);
    return file != MAP_FAILED;
}

static void unmap_switches(struct live_run *live)
{
    if (live->switches)
        munmap(live->switches - TRACE_PAGE, file_bytes(live));
    live->switches = NULL;
}

static void set_switches(struct live_run *live, const unsigned char *on)
{
    for (uint32_t i = 1; live->switches && i < live->probe_count; i++)
        __atomic_store_n(&live->switches[i], on && on[i] ? 1 : 0, __ATOMIC_RELAXED);
}

/* ---- the window in the trace's files ---- */

/* One that just begins has no header yet: it holds no interval of the window either. */
static bool mark_file(const char *path, const uint64_t window[2], struct error *error)
{
    char magic[8];
    bool ok = true;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "Can't open the trace %s", path);
    if (pread(fd, magic, sizeof magic, 0) == sizeof magic &&
        memcmp(magic, TRACE_MAGIC, sizeof magic) == 0)
        ok = pwrite(fd, window, 2 * sizeof *window,
                    offsetof(struct trace_file_header, window_from_ns)) == 2 * sizeof *window ||
             error_system(error, "Can't write to the trace %s", path);
    close(fd);
    return ok;
}

static int is_trace(const struct dirent *entry)
{
    return str_ends_with(entry->d_name, ".vtr");
}

static bool mark_files(const struct live_run *live, uint64_t until_ns, struct error *error)
{
    uint64_t window[2] = {live->window_from_ns, until_ns};
    struct dirent **entries;
    int count = scandir(live->trace.data, &entries, is_trace, alphasort);
    if (count < 0)
        return error_system(error, "Can't read the folder %s", live->trace.data);
    bool ok = true;
    for (int i = 0; i < count; i++) {
        struct str path = {0};
        path_join(&path, live->trace.data, entries[i]->d_name);
        ok = ok && mark_file(path.data, window, error);
        str_release(&path);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* ---- the run ---- */

bool live_run_start(struct live_run *live, const struct target *target, unsigned number,
                    uint32_t probe_count, struct error *error)
{
    unmap_switches(live);
    live->target = target;
    live->probe_count = probe_count;
    live->round = (struct target_round){
        .number = number, .trace_directory = live->trace.data, .run_log = live->log.data};
    live->started =
        map_switches(live, error) && target_start(target, &live->round, &live->command, error);
    return live->started;
}

void live_run_open_window(struct live_run *live, const unsigned char *on)
{
    set_switches(live, on);
    live->window_from_ns = now_ns();
}

bool live_run_wait(struct live_run *live, double seconds)
{
    uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
    while (!process_interrupted() && now_ns() < until) {
        if (!process_running(&live->command.process))
            return false;
        nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    }
    return process_running(&live->command.process);
}

bool live_run_close_window(struct live_run *live, struct error *error)
{
    return mark_files(live, now_ns() - SETTLE_NS, error);
}

void live_run_rest(struct live_run *live)
{
    set_switches(live, NULL);
}

bool live_run_end(struct live_run *live, struct error *error)
{
    if (!live->started)
        return true;
    live->started = false;
    return target_end(live->target, &live->round, &live->command, error);
}

void live_run_release(struct live_run *live)
{
    struct error ignored;
    live_run_end(live, &ignored);
    unmap_switches(live);
    str_release(&live->trace);
    str_release(&live->log);
}
