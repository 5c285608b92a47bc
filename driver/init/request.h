/* request.h - what was found to be one request, and how surely.
 *
 * Marks are places of vprofiler.json; functions and calls are those of the flow, in whose arena texts
 * are.
 */
#ifndef DRIVER_INIT_REQUEST_H
#define DRIVER_INIT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum request_shape {
    REQUEST_CALL, /* one call of the function */
    REQUEST_TURN, /* from one line of it to another */
};

enum request_source {
    SOURCE_RECEIVE,  /* recv */
    SOURCE_CALLBACK, /* a library calls back with what it received */
    SOURCE_QUEUE,    /* another thread's task */
    SOURCE_ACCEPT    /* a connection is one request */
};

/* A place of vprofiler.json. */
struct request_mark {
    uint32_t function;
    uint32_t line; /* 0: at its entry (a begin, an enter) or exit (an end) */
    const char *id;
};

enum { REQUEST_REASONS = 8, REQUEST_ENTERS = 3, REQUEST_ENDS = 12 };

struct request_path {
    enum request_shape shape;
    enum request_source source;
    uint32_t function;    /* whose call or lines it is */
    uint32_t loop;        /* that it is a turn of, or called in; or FLOW_NONE */
    uint32_t around;      /* in which the source is, and the call of it */
    uint32_t source_call; /* or FLOW_NONE: a callback */
    uint32_t sink_call;
    bool certain;   /* what is received is a client's, what is sent goes to it */
    bool task;      /* taken out of a queue, of no client that is seen */
    bool part;      /* of another one */
    bool apart;     /* what answers is in another branch than what receives */
    bool events;    /* what receives is one of the things that a pointer is called for */
    uint32_t level; /* how far above the source */
    uint32_t size;  /* functions of the program that it can reach */
    double weight;
    struct request_mark begin, end, enters[REQUEST_ENTERS];
    struct request_mark ends[REQUEST_ENDS]; /* on the ways that leave a turn before its end */
    uint32_t enter_count, end_count;
    uint32_t unended;   /* line of a way out on which none can stand, or 0 */
    uint32_t push, pop; /* functions that hand it over, or FLOW_NONE */
    uint32_t push_argument;
    const char *reasons[REQUEST_REASONS];
    uint32_t reason_count;
};

struct request_paths {
    struct request_path *items; /* the likeliest first */
    uint32_t count, capacity;
    bool sure;                         /* of the first */
    const char *doubt;                 /* why not; NULL where sure */
    uint32_t source_count, sink_count; /* found at all */
    bool *sinks;                       /* by call of the flow: it answers a client */
};

#endif
