/* process.h - run a command of the user's, with its output in a log file.
 *
 *     struct process process = {.argv = argv, .directory = tree, .log = "build.log"};
 *     process_set(&process, "VPROF_ROUND", "3");
 *     if (!process_run(&process, &error)) { process.status says how it ended }
 *     process_release(&process);
 *
 * process_run is process_start, process_wait and process_check; a command that goes on while
 * something else is done is taken through these.
 *
 * The command gets a session of its own, no terminal and no standard input: what wants to ask
 * someone fails, and does not wait for ever. What it leaves running is ended with it, daemons too
 * (stray.h): SIGTERM, after half of its time of grace SIGINT, at the end of it SIGKILL. SIGINT,
 * SIGTERM and SIGHUP to vprofiler end the group in the same way and give ERROR_STOPPED. So does
 * `most_seconds`, which is no error: whatever status a command ends with that was told to end, it
 * is 0. The log stays small (log_limit.h).
 */
#ifndef DRIVER_WORKBENCH_PROCESS_H
#define DRIVER_WORKBENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/str.h"

/* A shell gives this exit status for a command that is not there. */
enum { STATUS_NOT_FOUND = 127 };

/* A hint is said once where a command takes longer: counted from its start, or from when the file
 * was written to last. */
struct process_hint {
    const char *text; /* NULL: none */
    const char *file; /* or NULL */
    unsigned seconds;
};

struct process {
    char *const *argv;
    const char *directory;
    const char *log;  /* created; stdout and stderr */
    char **variables; /* "NAME=value", set in the command's environment only */
    size_t variable_count;
    size_t variable_capacity;
    struct process_hint hint;
    unsigned most_seconds; /* 0: as long as it takes */
    unsigned grace_s;      /* 0: two seconds, as where vprofiler itself is killed */
    bool killed;           /* what it left running did not end within its grace */
    int status;            /* as of waitpid; 0 where it was ended by us */
    double seconds;        /* how long it took */
    double start_seconds;
    struct str strays; /* which daemons were ended: "4711 (sh)" */
    pid_t child;
    pid_t guard;
    int guard_hold;
};

void process_set(struct process *process, const char *name, const char *value);
bool process_run(struct process *process, struct error *error);
bool process_start(struct process *process, struct error *error);
bool process_running(const struct process *process);
/* Each process_start needs one of these: until it has ended, or now. */
void process_wait(struct process *process);
void process_end(struct process *process);
/* Fails with ERROR_TARGET where the process failed, ERROR_STOPPED where vprofiler was
 * interrupted. */
bool process_check(const struct process *process, struct error *error);
void process_release(struct process *process);

/* Describes the end: "exit status 2", or "signal 9 (Killed)", also where a shell passed a signal on
 * as 128 + n. */
void process_describe(const struct process *process, struct str *text);
/* Writes the first `lines` lines of a log that tell an error of a compiler, each after "    | ". */
void process_log_errors(const char *log, unsigned lines, struct str *text);
/* Writes the last `lines` lines of a log, each after "    | ". */
void process_log_tail(const char *log, unsigned lines, struct str *text);

/* The signals above only note from now on that they came, and end a running command. */
void process_catch_interrupts(void);
bool process_interrupted(void);

#endif
