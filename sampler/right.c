#include "sampler/right.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *unknown_of(enum trace_watched watched)
{
    switch (watched) {
    case TRACE_WATCHED_ALL:
        return "which device's interrupt ended a wait";
    case TRACE_WATCHED_OWN:
        return "who woke a thread, who ran instead of it, and what the disks did";
    case TRACE_WATCHED_TOTALS:
        return "when a thread was off its processor, why, and who woke it; only how long it waited "
               "for one in all is known";
    default:
        return "all of the kernel's side of the run";
    }
}

static int paranoid(void)
{
    int level = 2;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (file && fscanf(file, "%d", &level) != 1)
        level = 2;
    if (file)
        fclose(file);
    return level;
}

/* Filters of system calls are what containers have: "Seccomp:\t2" in /proc/self/status. */
static bool is_filtered(void)
{
    char line[256];
    int mode = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "Seccomp: %d", &mode) != 1)
        ;
    if (file)
        fclose(file);
    return mode == 2;
}

void right_missing(struct str *text, struct right right, enum trace_watched watched)
{
    switch (right.lack) {
    case RIGHT_NONE:
    case RIGHT_NOT_ASKED:
        return;
    case RIGHT_EVENTS:
        str_printf(text, "perf_event_open was refused (%s; kernel.perf_event_paranoid is %d)",
                   strerror(right.refused), paranoid());
        break;
    case RIGHT_IDS:
        str_append(text, "process ids are a container's own, and not the kernel's");
        break;
    case RIGHT_TRACEPOINTS:
        str_printf(text, "the kernel's tracepoints cannot be read (%s)", strerror(right.refused));
        break;
    case RIGHT_SYMBOLS:
        str_append(text, "the names of the kernel's functions cannot be read "
                         "(/proc/kallsyms; kernel.kptr_restrict)");
        break;
    }
    str_printf(text, ": unknown is %s.", unknown_of(watched));
}

#define CAPABILITIES "cap_perfmon,cap_syslog,cap_dac_read_search+ep"

static void cure_refusal(struct str *text, struct right right)
{
    if (right.refused == ENOSYS && !is_filtered())
        str_append(text, "This kernel was built without perf events (CONFIG_PERF_EVENTS).");
    else if (right.refused == EMFILE || right.refused == ENFILE)
        str_append(text, "Allow more open files (ulimit -n).");
    else if (is_filtered())
        str_append(text, "In a container, start it with `--cap-add PERFMON --cap-add SYSLOG "
                         "--security-opt seccomp=unconfined`, and run vprofiler as root.");
    else
        str_append(text, "Run `sudo setcap " CAPABILITIES " $(command -v vprofiler)` once, or run "
                         "vprofiler as root.");
}

void right_cure(struct str *text, struct right right)
{
    switch (right.lack) {
    case RIGHT_NONE:
    case RIGHT_NOT_ASKED:
        return;
    case RIGHT_TRACEPOINTS:
        if (right.refused == ENODEV || right.refused == ENOENT) {
            str_append(text, "This kernel was built without tracepoints (CONFIG_FTRACE).");
            return;
        }
        break;
    case RIGHT_IDS:
        str_append(text,
                   "Run vprofiler outside of the container, or start that with `--pid host`.");
        return;
    case RIGHT_SYMBOLS:
        str_append(text, "Run `sudo setcap " CAPABILITIES " $(command -v vprofiler)` once, or "
                         "`sudo sysctl kernel.kptr_restrict=0`.");
        return;
    case RIGHT_EVENTS:
        break;
    }
    if (right.unmounted)
        str_append(text,
                   "Run `sudo mount -t tracefs tracefs /sys/kernel/tracing` after each boot. ");
    cure_refusal(text, right);
}
