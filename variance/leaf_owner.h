/* leaf_owner.h - to whom the time of a leaf of the tree goes back.
 *
 *     serve / pthread_mutex_lock / compact / usleep    compact (through usleep), waited for in
 *                                                      pthread_mutex_lock
 *     serve / parse / now                              parse, where now is a helper
 *     serve / pthread_mutex_lock / wake-up latency     nobody: the processor was not to be had
 *
 * The owner is the innermost function of the program that the leaf is in, on the thread that the
 * time was spent on, and above all helpers (variance/helper_set.h). What stands in none is told as
 * what it is. Where a thread waits for what left no trace, the time is its function's, and said to
 * be unseen.
 */
#ifndef VARIANCE_LEAF_OWNER_H
#define VARIANCE_LEAF_OWNER_H

#include <stdbool.h>

#include "variance/helper_set.h"
#include "variance/tree_way.h"
#include "variance/variance_tree.h"

enum owner_kind {
    OWNER_FUNCTION,    /* of the program */
    OWNER_CALL,        /* a call that stands in no function that is known */
    OWNER_THREAD,      /* a thread of which no function is known */
    OWNER_OUTSIDE,     /* the interval's thread, outside of timed functions */
    OWNER_WAKE_UP,     /* between the wake-up and running again */
    OWNER_PROCESSOR,   /* others had the processor */
    OWNER_QUEUE,       /* a queue whose thread had not begun yet */
    OWNER_WAIT,        /* a wait for a thread that had not begun yet */
    OWNER_PROBES,      /* the probes of vprofiler */
    OWNER_OTHER,       /* another interval, outside of timed functions */
    OWNER_UNEXPLAINED, /* nothing explains it */
    OWNER_KINDS
};
const char *owner_kind_name(enum owner_kind kind); /* as in report.json: "function" */

struct leaf_owner {
    enum owner_kind kind;
    const char *name;
    uint32_t node;     /* the function's, or what is named */
    uint32_t function; /* or FUNCTION_NONE */
    uint32_t through;  /* the call below `node` that leads to the leaf; NODE_NONE: its own body */
    uint32_t waited;   /* the call, queue or wait in which it was waited for; 0: it was not */
    uint32_t thread;   /* the outermost function or name known of its thread, if `waited` */
    uint32_t taker;    /* who had the processor that was waited for, or NODE_NONE */
    bool unseen;       /* a wait for what left no trace */
};

struct leaf_owners {
    const struct variance_tree *tree;
    const struct function_table *functions;
    struct tree_way *ways;
    struct helper_set helpers;
};

void leaf_owners_init(struct leaf_owners *owners, const struct variance_tree *tree,
                      const struct function_table *functions);
void leaf_owners_release(struct leaf_owners *owners);
struct leaf_owner leaf_owner_of(const struct leaf_owners *owners, uint32_t leaf);

#endif
