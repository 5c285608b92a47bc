/* slow_requests.h - a run's slow requests, and the typical ones that they are compared with.
 *
 *     |---- 25 % ----|--------- typical ---------|---- 25 % ----| slow |        by latency
 *
 *     struct slow_requests requests;
 *     if (slow_requests_choose(&requests, run)) ... requests.slow[interval], requests.typical[interval]
 *     slow_requests_release(&requests);
 *
 * Slow is the slowest 1 % of the complete ones, and SLOW_LEAST at the least; typical is the middle half.
 * No state; borrows the run while it works.
 */
#ifndef STACKS_SLOW_REQUESTS_H
#define STACKS_SLOW_REQUESTS_H

#include <stdbool.h>

#include "trace/timeline.h"

enum {
    SLOW_LEAST = 20,          /* as many as a side has blocks */
    SLOW_REQUESTS_LEAST = 200 /* of a run: the slow ones are a tenth of them at the most */
};

struct slow_requests {
    bool *slow, *typical; /* by interval */
    uint32_t slow_count, typical_count, count;
    time_ns slow_from; /* latency */
};

/* False: the run has fewer than SLOW_REQUESTS_LEAST. Release it either way. */
bool slow_requests_choose(struct slow_requests *requests, const struct timelines *run);
void slow_requests_release(struct slow_requests *requests);

#endif
