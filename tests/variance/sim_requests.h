/* sim_requests.h - what requests wait for (waits/by_request.h), against the leaves of the interval table.
 *
 * Both take the same paths apart, one by function and one by thread: what was a timer's, a disk's, the
 * network's, or another task's processor must be so in both, to the ns, in all intervals together.
 * Where the table stops at a thread that is not of the run, the other goes on: it may have more.
 */
#ifndef TESTS_SIM_REQUESTS_H
#define TESTS_SIM_REQUESTS_H

#include "trace/function_table.h"
#include "trace/timeline.h"

/* Says what does not agree. A run without a kernel's side has nothing to be compared. */
bool sim_requests_agree(const struct timelines *run, const struct function_table *functions);

#endif
