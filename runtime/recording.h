/* recording.h - whether this process records.
 *
 *   looking --recording_start()--> recording     or failed: nothing is recorded, for good
 */
#ifndef RUNTIME_RECORDING_H
#define RUNTIME_RECORDING_H

#include <stdbool.h>

struct vprof_hooks_1;

/* The first call measures what the probes of `table` cost (NULL: there are none), and makes the trace file. False: it
 * cannot be made. */
bool recording_start(const struct vprof_hooks_1 *table);

/* A process that records nothing, or nothing yet, takes part in the run's experiments; it records from now on if it has
 * code where units of work begin that no probe tells of. */
void recording_beside(void);

/* The child of a fork calls this. */
void recording_forked(void);

/* A process without what it needs for its threads' logs does not begin. */
void recording_fail(void);

bool recording_is_on(void);

#endif
