/* stacks_pprof.h - contexts as a profile of pprof (report/stacks/pprof.proto), compressed as it wants it.
 *
 *     go tool pprof -top profile.pb.gz                        what ran
 *     go tool pprof -sample_index=off -top profile.pb.gz      what was off
 *
 * A sample is an own time: its values are what ran, was off and wanted a processor, in ns, its labels the group of
 * threads and what they waited for.
 */
#ifndef REPORT_STACKS_STACKS_PPROF_H
#define REPORT_STACKS_STACKS_PPROF_H

#include "base/error.h"
#include "base/str.h"
#include "stacks/stacks.h"

/* Appends bytes. */
bool stacks_pprof_write(struct str *out, const struct stacks *stacks, struct error *error);

#endif
