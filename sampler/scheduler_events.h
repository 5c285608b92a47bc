/* scheduler_events.h - the kernel's events of all processors, opened together: TRACE_WATCHED_ALL.
 *
 *     processor 0:  birth, switch, waking, waking in an interrupt, ..., fault  ->  rings[0]
 *
 * Nothing is recorded until scheduler_events_enable: what is opened first must not see what is
 * opened last does not.
 */
#ifndef SAMPLER_SCHEDULER_EVENTS_H
#define SAMPLER_SCHEDULER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/kernel_event.h"
#include "sampler/perf_rings.h"

/* Of some threads, an idle one among them, a kernel (6.18) was seen to tell no tracepoint any more: all
 * that happens while they have a processor is missing, the switches away from them, too. What tells
 * switches once more, by another way, is on where it was needed of late. */
void scheduler_events_confirm(struct perf_rings *rings, uint32_t place, bool on);
/* Of the wakings in interrupts one in so many comes with its call chain, which is at first each; `fd`
 * is one of `chains`. */
void scheduler_events_chain(int fd, uint64_t every);
/* Events of all processors may be opened at all. False and errno. */
bool scheduler_events_allowed(void);
/* False and errno: no right to it, or the kernel has none of that. The rings are empty then. */
bool scheduler_events_open(struct perf_rings *rings, const struct event_layout *layout);

#endif
