/* mirror.h - the work tree: a copy of the user's source tree that may be written.
 *
 * mirror_copy copies everything below `source` except `exclude` (vprofiler's own output): bytes,
 * modes as `cp` gives them (without set-uid, set-gid and what the umask hides: the copy belongs to
 * whoever runs vprofiler) and modification times, so that an incremental build in the copy rebuilds
 * only what is rewritten. Holes of a file stay holes, and blocks are shared where the file system
 * can. Links stay links; one that names a place inside `source` by an absolute path is made to name
 * the copy of it. Sockets, pipes and devices are left out; what can't be read, and build folders
 * that were configured (CMakeCache.txt, meson-private), because they name `source` by absolute
 * paths, are named in mirror_left. `source` is only read.
 */
#ifndef DRIVER_WORKBENCH_MIRROR_H
#define DRIVER_WORKBENCH_MIRROR_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "base/str.h"

/* The lists read "build, other/build" and "secret.key (Permission denied)", or are empty. */
struct mirror_left {
    struct str configured, unread;
};

void mirror_left_release(struct mirror_left *left);

/* All three paths are absolute and normal; `tree` must not exist, nor lie below `source` outside
 * `exclude`. */
bool mirror_copy(const char *source, const char *exclude, const char *tree,
                 struct mirror_left *left, struct error *error);

/* A copy of an earlier time. */
struct mirror_fresh {
    time_t since;         /* when it was begun */
    const char *pristine; /* the texts of its files that have probes in them, below this folder */
};

/* Copies what has changed in `source` since then. `stale`: a text that has probes in the copy is
 * another one now, and the copy is of no use. */
bool mirror_freshen(const char *source, const char *exclude, const char *tree,
                    const struct mirror_fresh *fresh, bool *stale, struct error *error);

/* Gives every C and C++ source file below `tree` the present time, so that make compiles it
 * again. */
bool mirror_touch_sources(const char *tree, struct error *error);

#endif
