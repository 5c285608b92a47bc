/* watched_program.h - what a command looks at: a program that it records first, a process that runs, or a result.
 *
 *     struct values { struct watched_values watched; bool no_stacks; };
 *     static const struct option_spec options[] = {WATCHED_OPTIONS(AT(watched)), ...};
 *
 *     struct watched_program program = {&values.watched, wish, analyze, &values};
 *     return watched_program_run(&program, words);          an exit code
 *
 * `analyze` prints what it finds, and writes its page where `at` says so. Borrows everything.
 */
#ifndef DRIVER_COMMANDS_WATCHED_PROGRAM_H
#define DRIVER_COMMANDS_WATCHED_PROGRAM_H

#include <jansson.h>
#include <limits.h>

#include "base/error.h"
#include "driver/cli/option.h"
#include "driver/workbench/kernel_recording.h"
#include "report/kit/report.h"

/* Of the command line. */
struct watched_values {
    const char *result, *out, *kernel;
    unsigned pid;
    double seconds;
    bool json;
    char *const *command;
};

extern const char *const watched_kernel_modes[]; /* "auto", "on" */

#define WATCHED_OPTIONS(at)                                                                        \
    OPTION("out", FOLDER, (at) + offsetof(struct watched_values, out), "DIR", "vprofiler-out",     \
           "where the result of COMMAND goes"),                                                    \
        OPTION("pid", WHOLE, (at) + offsetof(struct watched_values, pid), "N", NULL,               \
               "a process that runs already, with its threads and children; nothing of it is "     \
               "touched",                                                                          \
               .most = INT_MAX),                                                                   \
        OPTION("for", DURATION, (at) + offsetof(struct watched_values, seconds), "TIME", "10s",    \
               "how long --pid is watched"),                                                       \
        OPTION("kernel", CHOICE, (at) + offsetof(struct watched_values, kernel), "WHEN", "auto",   \
               "auto pauses where recording takes more than 2 % of all processors; on does not",   \
               .choices = watched_kernel_modes)
#define WATCHED_ARGUMENTS(at)                                                                      \
    ARGUMENT(FOLDER, (at) + offsetof(struct watched_values, result), "RESULT",                     \
             "a result or a folder of traces that holds the kernel's side; otherwise "             \
             "vprofiler-out, its latest"),                                                         \
        ARGUMENT(COMMAND, (at) + offsetof(struct watched_values, command), "COMMAND ARGS...",      \
                 "what runs the program; it is recorded first")

/* What is looked at: its traces, and what its page says of it. */
struct watched_traces {
    const char *folder;
    const char *functions;       /* its functions.json, or NULL */
    const char *result;          /* its page lies there */
    const char *result_name;     /* as it is told */
    struct report_origin origin; /* command, host, date */
    bool page;                   /* a page and files are to be written, not only JSON printed */
};

struct watched_program {
    const struct watched_values *values;
    struct kernel_wish wish; /* its mode is that of the values */
    bool (*analyze)(const struct watched_traces *at, const void *context, struct error *error);
    const void *context;
};

/* On stdout; gives up `result`. */
void watched_print_json(json_t *result);
/* That the files were written; or, where `error` is not NULL, why they were not: a result of another user's may be
 * looked at, and gets no page then. */
void watched_tell_page(const struct watched_traces *at, const char *files,
                       const struct error *error);
/* Analyses what lies there; `words` is the command line, `recorded` says that it was recorded just now. */
bool watched_analyze(const char *path, const struct watched_program *program, const char *words,
                     bool recorded, struct error *error);
/* Records where that is asked for, and analyses; `words` is the command line. Says what went wrong, and gives the
 * exit code. */
int watched_program_run(const struct watched_program *program, const char *words);

#endif
