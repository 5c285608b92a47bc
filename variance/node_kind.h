/* node_kind.h - what the nodes of a variance tree are.
 */
#ifndef VARIANCE_NODE_KIND_H
#define VARIANCE_NODE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/wait_kind.h"

#define NODE_NONE UINT32_MAX

enum node_kind {
    NODE_INTERVAL,    /* the root */
    NODE_FUNCTION,    /* a timed function with a body in the tree */
    NODE_CALL,        /* a call without a body in the tree, or one that blocked */
    NODE_BODY,        /* the own time of its parent, a leaf */
    NODE_WOKEN_BY,    /* under a call that blocked: what its waker did meanwhile */
    NODE_WAIT,        /* wake-up latency, an unknown waker: a leaf; or nobody's turn, as a queue */
    NODE_QUEUE,       /* a task lay in a queue; below, what the thread did that took it */
    NODE_IO,          /* a leaf */
    NODE_UNEXPLAINED, /* no segment of any thread explains it: a leaf */
    NODE_FOR_ANOTHER, /* under a call that blocked: for whom its waker worked meanwhile */
    NODE_PROBES       /* what of its parent's own time is that of the probes of its calls: a leaf */
};
const char *node_kind_name(enum node_kind kind); /* as in report.json: "woken-by" */

/* A function and a call of it are one node. */
static inline enum node_kind node_kind_of_call(enum node_kind kind)
{
    return kind == NODE_FUNCTION ? NODE_CALL : kind;
}

/* A node is callable if it is a function's, and not only has the name of one. */
static inline bool node_kind_is_callable(enum node_kind kind)
{
    return node_kind_of_call(kind) == NODE_CALL || kind == NODE_WOKEN_BY;
}

/* A tree has so many calls of a function by itself as nodes one below the other; what it calls
 * deeper is the last one's, so that a tree does not grow with the depth of recursion. */
enum { TREE_LEVELS = 16 };

#endif
