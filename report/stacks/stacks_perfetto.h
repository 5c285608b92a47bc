/* stacks_perfetto.h - a run's threads in time, as a trace of Perfetto (report/stacks/perfetto.proto).
 *
 *     worker-1         |main--------------------------------|     calls, as they are inferred
 *                      |serve----------||commit-------------|
 *       off            |       |the disk vda (write)|..|          exact: what it was blocked for, and then
 *                                                                 that it wanted a processor; an arrow from who
 *       samples        .   .   .                       .   .      woke it; when its stack was seen
 *
 *     stacks_perfetto_write(&out, run, stacks);
 *
 * The run's threads have inferred spans (stacks/span_inference.h), of the frames of the stacks' sightings.
 * Times begin where the first of the run's threads was seen. Appends bytes.
 */
#ifndef REPORT_STACKS_STACKS_PERFETTO_H
#define REPORT_STACKS_STACKS_PERFETTO_H

#include "base/str.h"
#include "stacks/stacks.h"

void stacks_perfetto_write(struct str *out, const struct timelines *run,
                           const struct stacks *stacks);

#endif
