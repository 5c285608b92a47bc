/* request.h - what travels through the queues. */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "planted.h"

struct request {
    struct request *next; /* in its queue */
    bool last;            /* no request at all: the thread that pops it is done */
    int64_t begin_ns;
    int64_t pushed_ns;
    struct truth_row *row;
};

#endif
