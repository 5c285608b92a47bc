/* ab_runs.h - two commands run in turns, so that whatever the machine does meanwhile hits both.
 *
 *     struct ab_runs runs = {.commands = {"./old.sh", "./new.sh"}, .names = ..., .rounds = 20};
 *     if (ab_runs_make(&runs, "vprofiler-out", &error)) ... runs.folders[0], runs.folders[1]
 *     ab_runs_release(&runs);
 *
 *     round   1    2    3    4            which of the two is first changes from round to round
 *             A B  B A  A B  B A          one more round before them warms up and is thrown away
 *
 *   vprofiler-out/004/a/functions.json    of A's program; one without functions if there is none
 *                    /a/command           what ran, as reports name it
 *                    /a/01/1.vtr          round 1
 *                    /a/01.log            what it printed
 *                    /b/...
 *
 * Each command is started by sh in the current folder, with the environment of a run (target.h).
 */
#ifndef DRIVER_RUNS_AB_RUNS_H
#define DRIVER_RUNS_AB_RUNS_H

#include "base/error.h"
#include "base/str.h"
#include "driver/workbench/kernel_recording.h"

#define AB_COMMAND "command" /* the file's name */

struct ab_runs {
    const char *commands[2];
    const char *names[2];     /* of the commands, without what is secret */
    const char *functions[2]; /* functions.json, or NULL */
    enum kernel_mode kernel;
    unsigned rounds, seconds; /* 0 seconds: until the command ends */
    struct str root, folders[2];
};

/* SIGINT and the like end a running command and give ERROR_STOPPED; what was recorded stays. */
bool ab_runs_make(struct ab_runs *runs, const char *out, struct error *error);
void ab_runs_release(struct ab_runs *runs);

#endif
