/* request_set.h - the requests of several wishes, put into the timelines as intervals and labels.
 *
 *     wish 1    |======== serve ========|
 *     wish 2         |== parse ==|
 *     labels    serve parse      serve  none         of one thread
 *
 *     struct request_set set = {0};
 *     request_set_add(&set, &list, "serve", arena);    copies; the intervals' values lie in the run's arena
 *     request_set_fill(&set, run);                  and releases
 */
#ifndef STACKS_REQUEST_SET_H
#define STACKS_REQUEST_SET_H

#include "stacks/found_requests.h"

/* The value of requests by descriptor: so much was read when they began. */
#define REQUEST_BYTES "bytes"

struct request_set {
    struct interval *intervals;
    size_t count, capacity;
    struct request_work *works; /* .request: index of an interval */
    size_t work_count, work_capacity;
};

/* The list's threads are the run's. The type is not copied. */
void request_set_add(struct request_set *set, const struct found_requests *list, const char *type,
                     struct arena *arena);
/* The run's own intervals and labels stay among them. */
void request_set_fill(struct request_set *set, struct timelines *run);

#endif
