/* tail_ledger.h - what the slow intervals are slower by, part by part: a sum that closes.
 *
 *     mean of all      289 us   |==|
 *     lock_wait      + 2.3 ms      |=======================|
 *     page_read      + 273 us                              |==|
 *     parse          -  12 us                                |
 *     mean of the
 *     slowest 1 %     2.9 ms    |=============================|
 *
 * A part is the time of a function that no timed function below it explains; its waits, and what
 * the waker did meanwhile, are its own. So every leaf of the tree belongs to one part; parts of one
 * name are one, as in factor.h. The slowest 1 % are the tail of variance_tree.h.
 *
 * from_ns and to_ns are the running total to the nearest ns: the first part starts at mean_ns, each
 * where the one before it stopped, and the last one stops at slow_ns. Lives in the tree's arena.
 */
#ifndef VARIANCE_TAIL_LEDGER_H
#define VARIANCE_TAIL_LEDGER_H

#include <stdint.h>

#include "variance/variance_tree.h"

struct tail_part {
    const char *name;   /* "serve [body]" where timed functions below have parts of their own */
    uint32_t node;      /* where it is slower by most */
    uint32_t places;    /* nodes that it sums */
    __int128 sum, tail; /* of its time, over all intervals and over the tail */
    double share;       /* of what the slow ones are slower by; all add up to 1 */
    int64_t from_ns, to_ns;
};

struct tail_ledger {
    struct tail_part *parts; /* the largest difference first, either way */
    uint32_t count;
    int64_t mean_ns, slow_ns;
};

void tail_ledger_build(struct tail_ledger *ledger, struct variance_tree *tree);

#endif
