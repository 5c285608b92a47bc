/* return_events.h - perf events that tell from where functions are called whose return the kernel's own probe tells
 * (return_memory.h): at their entry, before it replaces the return address.
 *
 *     struct return_events returns;
 *     return_events_open(&returns, &plan);               before those probes are there
 *     ring_look of the stacks; return_events_take(&returns);       so that no stack is older than what is known
 *     return_memory_find(&returns.memory, tid, slot, time_ns, trampoline)
 *     return_events_close(&returns);
 *
 * They go on in pauses: a call that begins in one may go on behind it. Where they cannot be opened, or there is no such
 * function, nothing is known. x86-64 only. One thread at a time.
 */
#ifndef SAMPLER_RETURN_EVENTS_H
#define SAMPLER_RETURN_EVENTS_H

#include "sampler/perf_rings.h"
#include "sampler/point_plan.h"
#include "sampler/return_memory.h"

struct return_events {
    struct perf_rings rings; /* none: there is nothing to be told */
    struct return_memory memory;
};

void return_events_open(struct return_events *returns, const struct point_plan *plan);
void return_events_take(struct return_events *returns);
void return_events_close(struct return_events *returns);

#endif
