/* trace_files.h - which traces the folders on a command line hold, and which host each comes from.
 *
 *     vprofiler-out                    -> its latest result
 *     vprofiler-out/003                -> its last round that has a trace
 *     vprofiler-out/003/rounds/04      -> trace/, functions.json
 *     run/  (or a folder of folders)   -> *.vtr; functions.json in it or beside it
 *
 * Files of one host and one boot form a group: their clocks can be compared. A host is known by the
 * name in the trace's header, a boot by CLOCK_REALTIME - CLOCK_MONOTONIC (to BOOT_TOLERANCE_NS).
 * The order of files, and with it everything that is made of them, depends on what they hold alone:
 * by host, boot, start, process; never on names or on the order of the arguments.
 *
 * Owns its texts. Errors name the folder and what to do.
 */
#ifndef DRIVER_RUNS_TRACE_FILES_H
#define DRIVER_RUNS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "trace/trace_format.h"

#define BOOT_TOLERANCE_NS INT64_C(2000000000)

/* A source is one argument of the command line. */
struct trace_source {
    const char *path;      /* as it was typed */
    const char *result;    /* the result folder, or NULL */
    const char *round;     /* the folder that holds functions.json, or NULL */
    const char *functions; /* functions.json, or NULL */
    const char *trace;     /* the trace folder */
};

struct trace_file {
    const char *path;
    const char *folder; /* that it lies in; files of one folder share the text */
    uint32_t source;
    uint32_t group;
    bool readable; /* its header is; else the file stands behind its group's */
    bool recorder; /* of no process */
    uint64_t start_ns;
    int64_t boot_ns;
    uint32_t pid, clock;
    struct trace_calibration calibration[2];
    char host[64];
};

struct trace_files {
    struct arena arena;
    struct trace_source *sources;
    uint32_t source_count;
    struct trace_file *files; /* by group, then by start */
    size_t count, capacity;
    uint32_t group_count;
};

/* A run is one result, one round, or a folder that holds *.vtr files itself. */
bool trace_files_is_run(const char *path);

/* Gives the one folder of traces that the path names, in the arena, or NULL; its source is the
 * first. */
const char *trace_files_folder(struct trace_files *files, const char *path, struct error *error);
/* Every argument is a host of its own where `separate` says so, whatever its files say. */
bool trace_files_find(struct trace_files *files, const char *const *paths, uint32_t count,
                      bool separate, struct error *error);
void trace_files_release(struct trace_files *files);
/* Counts those that are not known to be a recorder's. */
size_t trace_files_processes(const struct trace_files *files);
/* No process was recorded in the run that the path names, but the kernel's side was. */
bool trace_files_are_kernel_alone(const char *path);

/* Makes the folder "<folder>/<group>-<host>" and links the group's files into it, so named that
 * their order stays, and below its objects/ what the sources keep of the programs that ran.
 * `lasting`: where it can be, links that outlive the files' other names. Gives the folder's path,
 * in the arena, or NULL. */
const char *trace_files_stage(struct trace_files *files, uint32_t group, const char *folder,
                              bool lasting, struct error *error);

#endif
