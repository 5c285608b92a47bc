/* compared_side.h - what A or B of a comparison names, loaded as one run.
 *
 *     struct compared_side side;
 *     if (compared_side_open(&side, "vprofiler-out/003/a", NULL, &error)) ... side.sample
 *     compared_side_release(&side);
 *
 *     vprofiler-out/003      a result, or a folder of traces: one run
 *     runs/                  a folder of those: a run each, in the order in which they began
 *       monday/ tuesday/
 *
 * The runs of one side are of one instrumented build. Owns everything, whatever comes out.
 */
#ifndef DRIVER_RUNS_COMPARED_SIDE_H
#define DRIVER_RUNS_COMPARED_SIDE_H

#include "base/error.h"
#include "driver/runs/run_set.h"
#include "variance/sample.h"

struct compared_side {
    struct run_set set;
    struct arena arena;
    uint32_t run_count;
    uint32_t *run_of_process;
    const char *command; /* what ran, as a file beside the runs or the result says; NULL: unknown */
    struct sample_side sample; /* borrows the set */
};

/* The functions are those of `functions`, or (NULL) of the functions.json beside the traces. */
bool compared_side_open(struct compared_side *side, const char *path, const char *functions,
                        struct error *error);
void compared_side_release(struct compared_side *side);

#endif
