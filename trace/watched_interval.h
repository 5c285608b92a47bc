/* watched_interval.h - which intervals of a run count where the recorder of the kernel's side paused.
 *
 *     recorded   |--------------------|        |--------------------|
 *     intervals    ---  --      -----      --     --      ---
 *     count        yes  yes     no         no     yes     yes
 *                             |margin |
 *
 * Those count that began while it recorded, and not at a window's end, by a margin as long as the
 * longest interval, or half the window. So it is when an interval began that decides, not how long it
 * was: long ones are as likely to count as short ones. Where too few would be left, all count, and of
 * some it is not known why they waited.
 */
#ifndef TRACE_WATCHED_INTERVAL_H
#define TRACE_WATCHED_INTERVAL_H

#include "trace/timeline.h"

/* Below, the tail is too rough to be worth leaving the others out (chosen). */
enum { WATCHED_FEWEST = 2000 };
/* The others are no longer complete; how many those are, the kernel's side says. */
void watched_intervals_keep(struct timelines *run, uint32_t fewest);

#endif
