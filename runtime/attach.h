/* attach.h - finds the hook tables of annotated objects and fills them in.
 *
 *   PT_NOTE, type 1:  | 6 | 8 | 1 | "vprof\0" .. | distance |--> struct vprof_hooks_1
 *
 * All files of a linked object share one table, so several notes name the same one. A table that is
 * already filled in, by us or by another copy of the runtime, is left alone. Whoever sees enter
 * (acquire) set also sees leave (acquired) set.
 *
 * A scan waits for another thread's, which may not know of the newest object. It takes the
 * loader's lock, and is not for probes.
 */
#ifndef RUNTIME_ATTACH_H
#define RUNTIME_ATTACH_H

#include <stdbool.h>

struct vprof_hooks_1;
struct vprof_direct_1;
struct site_hooks;

/* Objects are given the table, what lets their probes write records themselves, and what their
 * sites call. */
struct attach_hooks {
    const struct vprof_hooks_1 *table;
    void (*give)(struct vprof_direct_1 *direct);
    struct site_hooks (*of_sites)(void);
};

/* A process says what objects are given before its first scan. */
void attach_start_up(struct attach_hooks hooks);

/* A scan looks at objects loaded since the last one. The first table found starts the recording. */
void attach_scan(void);

/* Objects were loaded since the last scan. */
int attach_has_news(void);

/* The child of a fork calls this. If it is not `alone`, the process had other threads, one of which
 * may have held the loader's lock; nobody would ever give it back, so there are no more scans. */
void attach_forked(bool alone);

#endif
