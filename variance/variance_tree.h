/* variance_tree.h - the result: the latency's variance, taken apart over call paths.
 *
 *     interval                      Var 100 %
 *       serve                       a function on the critical path
 *         pthread_mutex_lock        a call that blocked; its children say what the waker did
 *           compact (woken-by)
 *           another interval (checkout)     as far as the waker served that one meanwhile
 *             compact (woken-by)
 *         [body of serve]
 *
 * A node's time in one interval is the sum of its children's; the body is a child (VProfiler,
 * EuroSys'17, section 3.2.1, equations 1 and 2). Times are ns on the critical path of an interval.
 * Moments are exact integers over the n intervals of the table; an interval in which a node does
 * not occur counts as 0.
 *
 * Law 2: at every node Var(node) = sum Var(child) + 2 sum Cov(pairs of children).
 * Law 3: the shares of all leaves add up to 1.
 * The tail's ledger closes: E[x | tail] - E[x] of a node is that of its children together, so that
 * the leaves together explain all that the slow intervals are slower by. The tail is every interval
 * of a latency of p99 or more: those of exactly p99 belong to it, so equals are never parted and
 * it may be more than 1 %, up to all of them where they are equal.
 * The types of intervals, where there are any, make up all of them.
 * variance_tree_check() verifies this in integers. Owned by the tree's arena; read-only once built.
 */
#ifndef VARIANCE_TREE_H
#define VARIANCE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "interval/summary.h"
#include "trace/function_table.h"
#include "variance/node_kind.h"

/* Exact sums over intervals: of x, of x*x, of x*L where L is the interval's latency, and of x over
 * the tail alone. */
struct moments {
    __int128 sum;
    __int128 square;
    __int128 latency;
    __int128 tail;
};

struct tree_node {
    enum node_kind kind;
    const char *name;   /* to print: "serve", "serve [body]", "push -> pop", "lock (queue.lock)" */
    const char *plain;  /* the same without the object: "lock" */
    const char *object; /* "queue.lock": what a call is told by, and its body; NULL */
    uint64_t id;        /* of the way from the root: the same in every result of one program */
    uint32_t function;  /* in the function table, or FUNCTION_NONE */
    uint32_t owner;     /* of a leaf: its line of the root ledger; else NODE_NONE */
    uint32_t within;    /* the function that holds a call without a body, or FUNCTION_NONE */
    const char *file;   /* "" where unknown */
    uint32_t line;
    uint32_t parent;
    uint32_t first_child; /* NODE_NONE: a leaf */
    uint32_t next_sibling;
    uint32_t height;        /* of the function in the call graph; 0 for a leaf kind */
    bool body;              /* it is a function with a body in the tree */
    bool blocked;           /* a call that a thread was blocked in: below it, who was waited for */
    bool lock;              /* `object` is a lock, which who is waited for holds */
    bool blamed;            /* under a woken-by node, or what says whom the waker served */
    enum wait_kind wait;    /* of a NODE_WAIT; WAIT_HAND_OVER of a queue that is not declared */
    uint64_t calls;         /* occurrences on critical paths, all intervals together */
    struct moments moments; /* inclusive */
    double mean_ns;
    double variance_ns2;
    double contribution; /* Var(node) / Var(L) */
    double share;        /* Cov(node, L) / Var(L) */
    double tail_share;   /* (E[x | tail] - E[x]) / (E[L | tail] - E[L]) */
};

/* A covariance is that of children `a` and `b` of node `parent`. */
struct tree_covariance {
    uint32_t parent;
    uint32_t a;
    uint32_t b;
    __int128 product; /* sum of xa*xb */
    double covariance_ns2;
    double contribution; /* 2 Cov / Var(L) */
};

struct variance_tree {
    struct arena arena;
    struct interval_summary intervals;
    double coverage;         /* 1 - unexplained time / all time */
    struct tree_node *nodes; /* nodes[0] is the root; a parent stands before its children */
    uint32_t node_count;
    struct tree_covariance *covariances; /* grouped by parent, in the order of nodes */
    uint32_t covariance_count;
    uint32_t graph_height; /* of the root: 1 + the greatest height below it */
};

void variance_tree_release(struct variance_tree *tree);
/* The result is NULL when the laws hold; else it is a text that names the node. */
const char *variance_tree_check(const struct variance_tree *tree);

#endif
