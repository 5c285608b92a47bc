/* carrier.h - a program that is built once, in a copy of its source, with the probes of its functions in and off.
 *
 *     struct carrier *carrier = carrier_open(&options, &error);      the copy, and what it calls
 *     carrier_table(carrier) ...                                     is all there that is asked about?
 *     carrier_build(carrier, names, &error)
 *     carrier_target(carrier) ...                                    switch, run
 *     carrier_release(carrier);
 *
 * It is `iterate --live` up to where its rounds begin, for commands that have no rounds.
 */
#ifndef DRIVER_LOOP_CARRIER_H
#define DRIVER_LOOP_CARRIER_H

#include "base/error.h"
#include "driver/loop/iterate_options.h"
#include "driver/workbench/target.h"
#include "driver/workbench/workdir.h"
#include "trace/function_table.h"

struct carrier;

/* Of `options` build, run or command, source, out, config, commands, jobs, words and keep count; they stay until the
 * release. */
struct carrier *carrier_open(const struct iterate_options *options, struct error *error);
/* Short functions carry no probe, but for those in `names` (NULL at its end). */
bool carrier_build(struct carrier *carrier, const char *const *names, struct error *error);
/* It has probes once it is built. */
const struct function_table *carrier_table(const struct carrier *carrier);
/* How it is run. */
const struct target *carrier_target(const struct carrier *carrier);
/* Its round 1 is for what is measured. */
const struct workdir *carrier_workdir(const struct carrier *carrier);
/* The copy goes, unless it is to be kept. */
void carrier_release(struct carrier *carrier);

#endif
