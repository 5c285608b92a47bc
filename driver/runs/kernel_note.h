/* kernel_note.h - what a report says of the kernel's scheduler: what was recorded of it, and what
 * is therefore unknown.
 *
 *     kernel_note_add(&notes, &run)      one note: a fact, or what no number of the report tells
 *     kernel_note_doubt(&doubts, &run)   records of it were lost
 */
#ifndef DRIVER_RUNS_KERNEL_NOTE_H
#define DRIVER_RUNS_KERNEL_NOTE_H

#include "report/kit/doubt.h"
#include "trace/timeline.h"

void kernel_note_add(struct doubts *notes, const struct timelines *run);
void kernel_note_doubt(struct doubts *doubts, const struct timelines *run);
/* One of them: who woke whom was not recorded. */
void kernel_note_wakers(struct doubts *notes);

/* Gives the part of the time in which the run's threads had or wanted a processor that they waited
 * for one, as the kernel counted; below 0: it is not known. */
double kernel_note_waited(const struct timelines *run);

#endif
