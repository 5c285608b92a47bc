/* run_folders.h - the runs that one side of a comparison names, as folders.
 *
 *     struct run_folders runs;
 *     run_folders_find(&runs, "monday");
 *     runs.items[0] ... runs.items[runs.count - 1]
 *     run_folders_release(&runs);
 *
 *     vprofiler-out/003      a result, or a folder of traces: itself
 *     monday                 a folder of those, or what --out named: each of them, by name
 *
 * There is at least one: what is no run is given as it is, and fails where it is opened.
 */
#ifndef DRIVER_RUNS_RUN_FOLDERS_H
#define DRIVER_RUNS_RUN_FOLDERS_H

#include <stddef.h>

#include "base/arena.h"

struct run_folders {
    struct arena arena;
    const char **items;
    size_t count, capacity;
};

void run_folders_find(struct run_folders *runs, const char *path);
void run_folders_release(struct run_folders *runs);

#endif
