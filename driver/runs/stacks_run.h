/* stacks_run.h - where the time of a recorded run's threads went, with its requests where points were watched.
 *
 *     struct stacks_run run;
 *     if (stacks_run_open(&run, "vprofiler-out/003", &options, &error)) ... run.stacks
 *     stacks_run_release(&run);
 *
 * Owns everything, whatever comes out.
 */
#ifndef DRIVER_RUNS_STACKS_RUN_H
#define DRIVER_RUNS_STACKS_RUN_H

#include "driver/runs/trace_files.h"
#include "stacks/request_fill.h"
#include "stacks/side_blocks.h"
#include "stacks/stacks.h"

struct stacks_run {
    struct trace_files files;
    struct timelines timelines;
    struct request_totals totals;
    struct stacks *stacks;
    bool loaded;
};

bool stacks_run_open(struct stacks_run *run, const char *path, const struct stacks_options *options,
                     struct error *error);
void stacks_run_release(struct stacks_run *run);
/* As a side of a comparison has it; borrows the run. */
struct side_run stacks_run_side(struct stacks *stacks);
/* `vprofiler stacks` made it: its page lies there. */
bool stacks_run_is_result(const char *path);

#endif
