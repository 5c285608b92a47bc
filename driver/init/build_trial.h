/* build_trial.h - a copy of the tree, built by each script in turn until one works.
 *
 *     struct build_trial trial;
 *     if (build_trial_begin(&trial, source, &error)) {
 *         build_trial_run(&trial, &error)         trial.kind: the one that built it, or NULL
 *         trial.db                                how its files are compiled
 *     }
 *     build_trial_end(&trial);
 *
 * The copy lies in a folder of its own below TMPDIR, and is removed at the end. Where no build works
 * the db is made of the tree's source files, as a compiler with no flags would have them.
 */
#ifndef DRIVER_INIT_BUILD_TRIAL_H
#define DRIVER_INIT_BUILD_TRIAL_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/init/build_kind.h"
#include "rewriter/compile_db.h"

struct build_trial {
    const char *source;
    const char *ready; /* a script that is tried before all others, or NULL */
    char folder[PATH_MAX];
    struct str tree, script, log, compile_log, trace;
    const struct build_kind *kind; /* that built it; NULL: none did */
    bool unfinished;               /* it compiled, and ended with an error */
    bool own;                      /* by the build.sh that was there */
    struct compile_db db;
    double seconds;    /* that the build took */
    struct str failed; /* what was tried in vain: a line each */
    struct str said;   /* the end of the last one's log */
};

bool build_trial_begin(struct build_trial *trial, const char *source, struct error *error);
/* False where vprofiler was interrupted. */
bool build_trial_run(struct build_trial *trial, struct error *error);
/* Takes the tree's own compile_commands.json, or its source files, and builds nothing. */
void build_trial_skip(struct build_trial *trial);
/* Builds once more, by what built it. */
bool build_trial_again(struct build_trial *trial, struct error *error);
void build_trial_end(struct build_trial *trial);

#endif
