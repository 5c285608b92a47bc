/* target.h - the user's program: how it is built and run in the work tree.
 *
 *     struct target target = {.tree = tree, .build = "build.sh", ...};
 *     target_build(&target, &round, &error);   the build script; it also runs the program unless
 *     target_run(&target, &round, &error);     there is a run script or a command
 *
 * A script that lies in the source tree is taken from the work tree. Both run there, with
 * VPROF_TREE, VPROF_ROUND, VPROF_TRACE_DIR, VPROF_CFLAGS and VPROF_LIBS in the environment, and the
 * runtime in LD_PRELOAD while the program runs. Round 0 is the tree as it is, with its compiler
 * runs recorded. On failure the message holds the end of the log and the command to repeat it.
 */
#ifndef DRIVER_WORKBENCH_TARGET_H
#define DRIVER_WORKBENCH_TARGET_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/workbench/kernel_recording.h"
#include "driver/workbench/process.h"

struct target {
    const char *source;       /* the user's tree; absolute */
    const char *tree;         /* the work tree; absolute */
    const char *build;        /* script; absolute */
    const char *run;          /* script, absolute, or NULL */
    char *const *command;     /* argv of a command to run, or NULL */
    bool recorded;            /* run where it is, by `record`: there are no rounds */
    bool declared;            /* the config declares intervals */
    bool wrapped;             /* what was not rewritten takes part in experiments */
    bool unbuilt;             /* there was no round 0 */
    bool endless;             /* its trace is small, and keeps the newest records */
    enum kernel_mode kernel;  /* whether the kernel's side of a run is recorded, but for round 0 */
    struct stack_wish stacks; /* with those of its stacks */
    const struct point_plan *points; /* and when its threads come to these; NULL: to none */
    const char *compile_log;         /* for the recorder, in round 0 */
    const char *advice;              /* said when a command fails; NULL: what its round suggests */
    unsigned seconds; /* the program is ended after so long, and that is well; 0: never */
};

struct target_round {
    unsigned number;
    const char *trace_directory;
    const char *build_log;
    const char *run_log;
    double build_seconds; /* out */
    double run_seconds;   /* out; 0 where the build script runs the program */
};

/* A command of the user's must not be moved while it runs. */
struct target_command {
    const char *what; /* for messages */
    const char *log;
    bool runs; /* the program may run in it */
    struct process process;
    struct kernel_recording kernel;
    struct str script;
    char shell[256];
    char *words[3];
};

bool target_build(const struct target *target, struct target_round *round, struct error *error);
bool target_run(const struct target *target, struct target_round *round, struct error *error);

/* The program runs as by target_run, while something else is done; `round` stays until the end.
 * What still runs then is ended, which is no failure. */
bool target_start(const struct target *target, const struct target_round *round,
                  struct target_command *command, struct error *error);
bool target_end(const struct target *target, struct target_round *round,
                struct target_command *command, struct error *error);

#endif
