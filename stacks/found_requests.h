/* found_requests.h - requests that follow from hits of points, and which thread worked for which of them.
 *
 *     struct found_requests list = {0};
 *     request_pairs_find(&list, &hits);                      or another way (request_span.h, ...)
 *     found_requests_doubt(&list, losses, loss_count);         nothing is told of what may be wrong
 *     list.items[0]       from 5.20 to 7.94 ms, begun and ended by thread 7, COMPLETE
 *     list.works[0]       thread 7 worked for it from 5.20 to 7.94 ms
 *     found_requests_release(&list);
 *
 * Pure: hits are of one wish, in order of time, with the threads and processes as numbers. A request of
 * which not both ends were seen is not complete, and never guessed.
 */
#ifndef STACKS_FOUND_REQUESTS_H
#define STACKS_FOUND_REQUESTS_H

#include <stddef.h>

#include "trace/point.h"

struct request_hit {
    time_ns time;
    uint32_t thread, process;
    uint8_t role; /* enum trace_point_role */
    uint64_t value, second;
};

struct request_hits {
    const struct request_hit *items;
    size_t count;
    bool
        by_value; /* those of one value and process are of one request, else those of one thread; of
                    * calls: one may come to its entry several times */
    time_ns from, until; /* points were watched then */
};

enum request_fate {
    REQUEST_COMPLETE,
    REQUEST_CUT,      /* it had not ended when the recording did */
    REQUEST_LEFT,     /* its function was left by a jump or an exception */
    REQUEST_REPLACED, /* the same one began again, or was read again without an answer */
    REQUEST_CLOSED,   /* its connection was closed without an answer */
    REQUEST_DOUBTFUL, /* hits were lost meanwhile */
    REQUEST_FATES
};

struct request {
    time_ns begin, end; /* of one that is not complete, when it was known to be over */
    uint64_t id;        /* its value, descriptor, or number */
    uint64_t bytes;     /* that were read when it began; 0: it is not of a descriptor */
    uint32_t begin_thread, end_thread;
    uint8_t fate; /* enum request_fate */
};

/* A thread worked for a request in [from, to]. Those of one thread do not overlap. */
struct request_work {
    time_ns from, to;
    uint32_t thread;
    uint32_t request; /* index */
};

struct found_requests {
    struct request *items;
    size_t count, capacity;
    struct request_work *works;
    size_t work_count, work_capacity;
    uint64_t unbegun; /* ends of requests whose begin was not seen */
};

#define REQUEST_NONE UINT32_MAX

/* It begins with the hit, and is CUT so far. Gives its index. */
uint32_t found_requests_begin(struct found_requests *list, const struct request_hit *hit,
                              uint64_t id);
void found_requests_end(struct found_requests *list, uint32_t request, time_ns time,
                        uint32_t thread, enum request_fate fate);
void found_requests_work(struct found_requests *list, uint32_t request, uint32_t thread,
                         time_ns from, time_ns to);
/* Once all were found: no work lies behind its request's end. */
void found_requests_close(struct found_requests *list);
/* Those are DOUBTFUL in whose time hits were lost. */
void found_requests_doubt(struct found_requests *list, const struct point_loss *losses,
                          size_t count);
size_t found_requests_count(const struct found_requests *list, enum request_fate fate);
void found_requests_release(struct found_requests *list);

#endif
