/* request_fill.h - from the hits of a run's points to its intervals, as if it had been annotated.
 *
 *     struct request_totals totals;
 *     requests_fill(&run, &totals);
 *     run->intervals[n]      type "handle_request", of 2.74 ms; its thread's labels say who worked for it
 *
 *     requests_fill_whole(&run, false);       one interval for each thread, or process, of the run
 *
 * A request's type is its function's or probe's name; of those by descriptor it is "socket". Intervals
 * that the run has already stay. Where requests of two wishes overlap on a thread, it works for the one
 * that it turned to last, and for the other again when that is over. Threads are made where there are
 * none (task_thread.h). Those in which the recorder of the kernel's side paused do not count, as of an
 * annotated run (trace/watched_interval.h); those that had not ended with the recording, or in whose time hits
 * are missing, lie outside of what was recorded, and are no fault of the program.
 */
#ifndef STACKS_REQUEST_FILL_H
#define STACKS_REQUEST_FILL_H

#include "stacks/found_requests.h"

struct request_totals {
    uint64_t fates[REQUEST_FATES]; /* how many requests, by enum request_fate */
    uint64_t unbegun;              /* ends of which the begin was not seen */
    uint64_t unknown;              /* hits whose value could not be read */
    uint64_t lost;                 /* hits */
};

void requests_fill(struct timelines *run, struct request_totals *totals);
/* All of them are complete: from when the thread was first seen to its end, or the recording's. Those of processes have
 * the type of their program. Gives their number. */
uint32_t requests_fill_whole(struct timelines *run, bool of_processes);

#endif
