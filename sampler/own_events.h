/* own_events.h - switches of the user's own threads: TRACE_WATCHED_OWN, where no more is allowed.
 *
 * Each thread that is there has an event on each processor, which its threads and processes to come
 * inherit. They write to the processor's ring.
 */
#ifndef SAMPLER_OWN_EVENTS_H
#define SAMPLER_OWN_EVENTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "sampler/perf_rings.h"

/* The rings, which nothing writes to yet. False and errno. */
bool own_events_open(struct perf_rings *rings);
/* Each thread of the process is attached to, which gives 0 or errno. The number of those that were refused, and errno. */
size_t own_events_each(pid_t pid, int (*each)(void *context, pid_t tid), void *context);
/* The same, of what tells its switches. */
size_t own_events_watch(struct perf_rings *rings, pid_t pid);

#endif
