/* waits_run.h - a run's waits, whether or not a process of it was recorded: the kernel's side is enough.
 *
 *     struct waits_run run;
 *     if (waits_run_open(&run, "vprofiler-out/003", &error)) ... run.waits
 *     waits_run_release(&run);
 *
 * Owns everything, whatever comes out.
 */
#ifndef DRIVER_RUNS_WAITS_RUN_H
#define DRIVER_RUNS_WAITS_RUN_H

#include "driver/runs/trace_files.h"
#include "trace/timeline.h"
#include "waits/waits.h"

struct waits_run {
    struct trace_files files;
    struct timelines timelines;
    struct waits *waits;
    bool loaded;
};

bool waits_run_open(struct waits_run *run, const char *path, struct error *error);
void waits_run_release(struct waits_run *run);

#endif
