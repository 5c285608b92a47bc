/* request_time.h - what each context takes a request, where requests are known.
 *
 *     struct request_times times;
 *     if (request_times_find(&times, &side))            false: there are too few of them
 *         times.items[node]                              2.31 ms -+ 0.08 a request
 *     request_times_release(&times);
 *
 * It is all that the run's threads ran and were off in a context and below it, whoever they worked for, over the number
 * of requests that were complete: so what is done beside requests, or for several at once, has its part, too. The interval
 * of 95 % is the block jackknife's (stats/jackknife.h) over blocks of requests (side_blocks.h).
 */
#ifndef STACKS_REQUEST_TIME_H
#define STACKS_REQUEST_TIME_H

#include "stacks/side_blocks.h"

struct request_time {
    double mean_ns,
        half_ns; /* of the interval; INFINITY: it is not known, as of what is below [cut] */
};

struct request_times {
    struct request_time
        *items; /* by node of the told tree (context_fold.h); NULL: no requests are known */
    uint64_t requests;
};

bool request_times_find(struct request_times *times, const struct side_run *run);
void request_times_release(struct request_times *times);

#endif
