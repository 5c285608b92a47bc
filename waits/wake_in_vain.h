/* wake_in_vain.h - a thread that was woken, found that it had to wait, and waited again for the same.
 *
 *     kernel     |- off, woken by 8 -| runs |-- off, woken by 9 --|      wrappers: the first wake was in vain
 *     waits      |----------------- for 9 ------------------------|      one wait
 *
 * It has waited all the time, for who woke it at last (trace/waker.h tells which wakes were in vain: a condition
 * that is waited for again with nothing done between, or VPROF_FALSE_WAKEUP). (wPerf, OSDI'18, 3.5.)
 */
#ifndef WAITS_WAKE_IN_VAIN_H
#define WAITS_WAKE_IN_VAIN_H

#include "waits/wait_list.h"

/* Whether any wake of the thread was in vain. */
bool wakes_in_vain_any(const struct timeline_thread *thread);
/* The waits of the thread, in order; they become fewer. The result is how many wakes were merged forward. */
uint64_t wakes_in_vain_merge(const struct timeline_thread *thread, struct wait *items,
                             size_t *count);

#endif
