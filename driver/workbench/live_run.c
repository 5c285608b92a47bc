#include "driver/workbench/live_run.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "driver/cli/talk.h"
#include "trace/trace_folder.h"
#include "trace/trace_format.h"

enum { GRACE_S = 10 };
#define PAUSE_NS 20000000L
/* A record is stored soon after its clock was read, but its thread may have to wait in between for
 * the processor: several turns of others, on a busy machine. Once the command has ended, only what
 * it left running still records. */
#define SETTLE_NS UINT64_C(50000000)
#define ENDED_NS UINT64_C(5000000)

/* ---- the window in the trace's files ---- */

/* The window begins later in a process that noticed the switches later; it is empty in one that has
 * not noticed them. */
static uint64_t window_from(const struct live_run *live, const struct trace_file_header *header)
{
    const uint64_t *window = live->window;
    if (header->switched_generation == 0 || live->window_generation != live->switches.generation)
        return window[0];
    if (header->switched_generation != live->switches.generation || header->switched_ns > window[1])
        return window[1];
    return header->switched_ns > window[0] ? header->switched_ns : window[0];
}

/* A file that just begins has no header yet: it holds no interval of the window either. */
static bool mark_file(const struct live_run *live, const char *path, struct error *error)
{
    struct trace_file_header header;
    bool ok = true;
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "Can't open the trace %s", path);
    if (trace_folder_header(fd, &header)) {
        uint64_t window[2] = {window_from(live, &header), live->window[1]};
        ok = pwrite(fd, window, sizeof window,
                    offsetof(struct trace_file_header, window_from_ns)) == sizeof window ||
             error_system(error, "Can't write to the trace %s", path);
    }
    close(fd);
    return ok;
}

static bool mark_files(const struct live_run *live, struct error *error)
{
    struct trace_folder folder;
    bool ok = trace_folder_list(&folder, live->trace.data, error);
    for (size_t i = 0; ok && i < folder.count; i++)
        ok = mark_file(live, folder.paths[i], error);
    trace_folder_release(&folder);
    return ok;
}

/* ---- the run ---- */

bool live_run_start(struct live_run *live, const struct target *target, unsigned number,
                    uint32_t probe_count, struct error *error)
{
    switch_file_release(&live->switches);
    live->target = target;
    live->round = (struct target_round){
        .number = number, .trace_directory = live->trace.data, .run_log = live->log.data};
    memset(live->window, 0, sizeof live->window);
    live->started = switch_file_make(&live->switches, live->trace.data, probe_count, error) &&
                    target_start(target, &live->round, &live->command, error);
    live->command.process.grace_s = GRACE_S;
    return live->started;
}

void live_run_open_window(struct live_run *live, const unsigned char *on)
{
    memcpy(live->earlier, live->window, sizeof live->earlier);
    live_run_switch(live, on);
}

void live_run_switch(struct live_run *live, const unsigned char *on)
{
    switch_file_set(&live->switches, on);
    live_run_move_window(live);
}

void live_run_move_window(struct live_run *live)
{
    live->from_ns = clock_ns();
    processor_time_begin(&live->began_with, live->trace.data);
}

double live_run_window_s(const struct live_run *live)
{
    return (double)(clock_ns() - live->from_ns) * 1e-9;
}

double live_run_closed_s(const struct live_run *live)
{
    return (double)(live->window[1] - live->window[0]) * 1e-9;
}

bool live_run_wait(struct live_run *live, double seconds)
{
    double until = clock_s() + seconds;
    while (!process_interrupted() && clock_s() < until) {
        if (!process_running(&live->command.process))
            return false;
        nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    }
    return process_running(&live->command.process);
}

bool live_run_close_window(struct live_run *live, struct error *error)
{
    live->window[0] = live->from_ns;
    live->window[1] = clock_ns() - (process_running(&live->command.process) ? SETTLE_NS : ENDED_NS);
    live->window_generation = live->switches.generation;
    live->used_ns = processor_time_used_ns(&live->began_with, live->trace.data);
    return mark_files(live, error);
}

bool live_run_restore_window(struct live_run *live, struct error *error)
{
    memcpy(live->window, live->earlier, sizeof live->window);
    live->window_generation = 0;
    return mark_files(live, error);
}

void live_run_rest(struct live_run *live)
{
    switch_file_rest(&live->switches);
}

bool live_run_end(struct live_run *live, struct error *error)
{
    if (!live->started)
        return true;
    live->started = false;
    bool ok = target_end(live->target, &live->round, &live->command, error);
    if (live->command.process.killed)
        talk("[%u] it was killed: %d s after SIGTERM it still ran", live->round.number, GRACE_S);
    return ok;
}

void live_run_release(struct live_run *live)
{
    struct error ignored;
    live_run_end(live, &ignored);
    switch_file_release(&live->switches);
    processor_time_release(&live->began_with);
    str_release(&live->trace);
    str_release(&live->log);
}
