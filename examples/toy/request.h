/* request.h - what a client wants; travels from the acceptor through the queue to a worker. */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>

struct request {
    struct request *next; /* in the queue */
    bool last;            /* no request at all: the worker that pops it is done */
    char text[32];        /* "get 17" or "put 17" */
    bool is_put;          /* these two: once it is parsed */
    unsigned key;
};

#endif
