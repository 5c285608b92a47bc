/* workdir.h - where one `iterate` keeps its things.
 *
 *   vprofiler-out/latest -> 003                     a link to the newest finished result
 *   vprofiler-out/003/report.json, report.html, report.txt; of `waits` waits.json, waits.html
 *                    /tree/                         the work tree (mirror)
 *                    /pristine/                     texts of files before their first edit
 *                    /compiles.log                  what the recorder saw
 *                    /loop.json                     how far it is (loop_state.h)
 *                    /rounds/02/build.log, run.log, functions.json, report.json, trace/
 *                    /kept                          --keep was given: nothing of it is removed
 *
 * The tree and the pristine texts are removed when the loop ends, and every trace but the last;
 * where it failed or can be resumed, when the next one begins. Loops before the newest 20 lose their last trace then
 * as well, and keep their reports.
 * The folder is locked while it is in use, also by the processes that end the user's command when
 * vprofiler is killed: who gets the lock is alone in it.
 */
#ifndef DRIVER_WORKBENCH_WORKDIR_H
#define DRIVER_WORKBENCH_WORKDIR_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

#define LOOP_STATE_FILE "loop.json"
#define WORKDIR_COMPILE_LOG "compiles.log"
#define WORKDIR_KEPT "kept"
/* A copy on its way out. */
#define WORKDIR_REMOVED "removed"

struct workdir {
    struct str out;  /* vprofiler-out, absolute */
    struct str root; /* vprofiler-out/003 */
    struct str tree;
    struct str pristine;
    struct str compile_log;
    unsigned number;
    int lock; /* a file descriptor; 0: none */
};

/* Makes `out` if need be, and the next number in it. */
bool workdir_create(struct workdir *workdir, const char *out, struct error *error);
/* Finds the newest folder of `out` that holds the file `name`, absolute; false: there is none. */
bool workdir_find(const char *out, const char *name, struct str *root);
/* Tells whether the folder `name` of `out` is ours and holds `file`. */
bool workdir_holds(const char *out, const char *name, const char *file);
/* Gives the number of the result that is shown where none is named; 0: there is none. */
unsigned workdir_latest(const char *out);
/* Opens the newest such folder again. */
bool workdir_reopen(struct workdir *workdir, const char *out, const char *name,
                    struct error *error);
/* The path is "<root>/rounds/<round>/<name>"; the folder is made. */
bool workdir_round(const struct workdir *workdir, unsigned round, const char *name,
                   struct str *path, struct error *error);
/* Lets nothing of the folder be removed later. */
bool workdir_keep(const struct workdir *workdir, struct error *error);
/* Removes what older loops need no more; gives how many lost their traces. */
unsigned workdir_tidy(const struct workdir *workdir);
/* Points `latest` to this folder. */
bool workdir_finish(const struct workdir *workdir, struct error *error);
/* What is half removed does not pass for a copy that can be gone on with: the tree of the folder `root` gets the name
 * WORKDIR_REMOVED, which is to be removed. */
void workdir_set_copy_aside(const char *root);
/* Removes what is only needed while the loop runs; nothing where the folder is another's. */
void workdir_sweep(const struct workdir *workdir);
void workdir_release(struct workdir *workdir);

#endif
